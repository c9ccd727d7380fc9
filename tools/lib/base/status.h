/* Exit statuses of every tool; the EXIT STATUS section of each manual page. */
#ifndef STATUS_H
#define STATUS_H

enum status {
	STATUS_ANSWERED = 0,
	STATUS_ERROR = 1,	/* bad input, or the system failed us */
	STATUS_USAGE = 2,
	STATUS_NO_ANSWER = 3,	/* the question has no answer: infeasible, unsolvable */
};

#endif
