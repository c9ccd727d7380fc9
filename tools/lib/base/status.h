/* Exit statuses of all tools, as in the section EXIT STATUS of the manual pages. */
#ifndef STATUS_H
#define STATUS_H

enum status {
	STATUS_ANSWERED = 0,
	STATUS_ERROR = 1,	/* invalid input, or a failed system call */
	STATUS_USAGE = 2,
	STATUS_NO_ANSWER = 3,	/* the question has no answer, since it is infeasible or cannot be solved */
};

#endif
