/* Exit statuses of every tool, as in the section EXIT STATUS of the manual pages. */
#ifndef STATUS_H
#define STATUS_H

enum status {
	STATUS_ANSWERED = 0,
	STATUS_ERROR = 1,	/* bad input, or a failed system call */
	STATUS_USAGE = 2,
	STATUS_NO_ANSWER = 3,	/* the question has no answer: infeasible, unsolvable */
};

#endif
