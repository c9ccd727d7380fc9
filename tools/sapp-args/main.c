/* sapp-args: print the programs that a launch script would start. */
#include <stdlib.h>
#include <string.h>

#include "lib/base/option.h"
#include "lib/base/output.h"
#include "lib/base/status.h"
#include "lib/record/record.h"
#include "lib/script/programs.h"

static const char usage[] =
    "usage: sapp-args [-hVv] [-set NAME=VALUE]... [-past-exit] [-launch number] [-t seconds] [-unconfined]\n"
    "                 SCRIPT [ARGUMENT...]\n"
"example: sapp-args train.sh | sapp-model\n";

int
main(int argc, char *argv[])
{
	struct script_call call = { 0 };
	struct programs all;
	int launch = 0;
	const struct option_row options[] = {
		{ "set", "NAME=VALUE", "set a variable of the script, whatever the script assigns",
			.texts = &call.set },
		{ "past-exit", NULL, "ignore 'exit' in the script", .flag = &call.past_exit },
		{ "launch", "NUMBER", "print only the program of this number, from 1", .whole = &launch, .min = 1,
		    .max = 1 << 20 },
		{ "t", "SECONDS", "time limit of the script (60)", .real = &call.limit, .min = 0.1, .max = 3600 },
		{ "unconfined", NULL, "run the script without Landlock and seccomp", .flag = &call.unconfined },
		{ 0 }
	};
	char **operands;

	/* Options after the script belong to the script. */
	setenv("POSIXLY_CORRECT", "1", 1);
	operands = options_take(argc, argv, usage, options);
	if (*operands == NULL)
		option_usage("missing operand: a script");
	call.path = operands[0];
	call.argument = operands + 1;
	programs_read(&all, &call);
	if (launch > all.n)
		place_die((struct place){ call.path, 0 }, "-launch: the script starts %d program%s, not '%d'", all.n,
		    all.n == 1 ? "" : "s", launch);
	for (int i = 0; i < all.n; i++)
		if (launch == 0 || launch == i + 1)
			record_put(stdout, RECORD_LAUNCH, &all.at[i]);
	programs_free(&all);
	texts_free(&call.set);
	stdout_close();
	return STATUS_ANSWERED;
}
