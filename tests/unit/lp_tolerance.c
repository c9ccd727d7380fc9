/* Proofs subtract enough for rounding, limits are rounded to the safe side, and a false bound stops the program.  */
#include <err.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lib/base/decimal.h"
#include "sapp-lp/planner/planner.h"
#include "tap.h"

static uint64_t state = 1;

static double
draw(void)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return (double)(state >> 11) / 9007199254740992.0;
}

/* Sums of products whose exact value is known from the halves of their factors: long double holds every product. */
static void
sums(void)
{
	int above = 0, plain = 0, far = 0;

	for (int i = 0; i < 2000; i++) {
		int n = 1 + (int)(draw() * 400);
		double sum = 0, magnitude = 0;
		long double exact = 0;

		for (int k = 0; k < n; k++) {
			double a = (draw() - 0.3) * 1000, b = draw();

			sum += a * b;
			magnitude += fabs(a * b);
			exact += (long double)a * b;
		}
		above += rounded_down(sum, magnitude, n) > exact;
		plain += sum > exact;
		far += rounded_down(sum, magnitude, n) < exact - 1e-12L * magnitude;
	}
	same(0, above, "no sum rounded down is above the exact one");
	ok(plain > 500, "as plain sums often are");
	same(0, far, "and it is close to it");
}

static void
limits(void)
{
	int wrong = 0, longer = 0;

	for (int i = 0; i < 2000; i++) {
		double x = draw() * pow(10, draw() * 12 - 3);
		char *up = decimal_up(x), *down = decimal_down(x);

		wrong += strtod(up, NULL) < x || strtod(down, NULL) > x;
		longer += strtod(up, NULL) > x * (1 + 1e-7) || strtod(down, NULL) < x * (1 - 1e-7);
		free(up);
		free(down);
	}
	same(0, wrong, "rounded limits are not below, or not above, exact ones");
	same(0, longer, "by little");
	for (int i = 0; i < 4; i++) {
		static const struct {
			double x;
			const char *text;
		} of[] = { { 14260, "14260" }, { 155.5, "155.5" }, { 0.1, "0.1" }, { 0.3, "0.3" } };
		char *text = i % 2 == 0 ? decimal_up(of[i].x) : decimal_down(of[i].x);

		ok(strcmp(text, of[i].text) == 0, "short numbers stay short");
		free(text);
	}
}

/* Return whether such a bound, raised or set at the start, is a fault of WHOSE. */
static bool
fault(double bound, double step, double told, const char *whose)
{
	struct answer a = { .lower_bound = step / 2, .step_time = step, .told = told };
	char *text;
	bool is;

	answer_raise(&a, bound);
	text = answer_fault(&a);
	is = text != NULL && strncmp(text, whose, strlen(whose)) == 0;
	free(text);
	return is;
}

int
main(void)
{
	sums();
	limits();
	ok(!fault(1, 1, 0, ""), "a bound that is reached");
	ok(!fault(1, INFINITY, 0, ""), "no plan yet");
	ok(fault(nextafter(1, 2), 1, 0,
	    "fault in the planner: the lower bound 1.0000000000000002 ms is above the step"),
	    "a bound raised above a known step is the planner's fault");
	ok(fault(2, 1, 2, "-known: its lower bound 2 ms is wrong"), "or that of who told it");
	return tap_done();
}
