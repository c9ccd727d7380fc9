#include "hybrid.h"

#include <string.h>

void
hybrid_read(const char *pattern, int stages, struct grid *layers, int *extra, struct place at)
{
	size_t n = strcspn(pattern, "/");
	int pieces = 1, piece = 0;

	*extra = 0;
	for (size_t i = 0; pattern[i] != '\0'; i++) {
		if (strchr("MG*D+-E|/", pattern[i]) == NULL || (pattern[i] == '|' && i > n))
			place_die(at, "--hybrid-layer-pattern: not one of M, G, *, D, +, -, E, '|' and '/' '%c'",
			    pattern[i]);
		pieces += pattern[i] == '|';
		*extra += pattern[i] == '/' && pattern[i + 1] != '\0' && pattern[i + 1] != '/';
	}
	if (pieces % stages != 0)
		place_die(at, "--hybrid-layer-pattern: %d pieces cannot be divided evenly over %d stages '%s'", pieces,
		    stages, pattern);
	*layers = grid_new(pieces / stages, stages);
	for (size_t i = 0; i < n; i++) {
		piece += pattern[i] == '|';
		layers->at[piece] += pattern[i] != '|';
	}
}

const char *
hybrid_symbol(const char *name)
{
	static const char *const known[][2] = { { "mamba2", "M" }, { "delta", "G" }, { "attention", "*" },
		{ "sliding", "*" }, { "gated_attention", "*" }, { "gated_sliding", "*" }, { "latent", "+" },
		{ "indexed", "D" }, { "mlp", "-" }, { "moe", "E" }, { "latent_moe", "E" } };

	for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
		size_t n = strlen(known[i][0]);

		if (strncmp(name, known[i][0], n) == 0 && name[n + strspn(name + n, "0123456789")] == '\0')
			return known[i][1];
	}
	return NULL;
}

bool
hybrid_name(const char *name)
{
	const char *symbol = hybrid_symbol(name);

	/* Only hybrids have layers that consist of one of these blocks alone. */
	return strncmp(name, "mamba2", 6) == 0 || (symbol != NULL && strchr("G-", *symbol) != NULL);
}
