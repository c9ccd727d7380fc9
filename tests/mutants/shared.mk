# The tools and unit tests over two libraries that they load, of lib and of the planner: after a change of one source,
# one object is compiled and one library linked, and all programs have it. LD_LIBRARY_PATH says where they are.
include Makefile

# Of programs: what is undefined in a library, and they do not need, is none of their business.
SHARED = $(CC) -shared $(SAN:%=-fsanitize=%) $(LINKER) -Wl,-Bsymbolic -Wl,-soname,$(@F) -o $@ $(filter %.o,$^)
PROGRAM = $(CC) $(ALL_CFLAGS) $(ALL_LDFLAGS) -o $@
LINKER := $(if $(shell command -v ld.lld),-fuse-ld=lld)
ALL_LDFLAGS += $(LINKER) -Wl,--allow-shlib-undefined
PLANNER = $(B)/libplanner.so

$(B)/libsapp.a: $(filter $(B)/lib/%,$(OBJ))
	@$(SHARED)
$(PLANNER): $(filter-out %/main.o,$(filter $(B)/sapp-lp/%,$(OBJ)))
	@$(SHARED)
$(B)/bin/sapp-lp: $(B)/sapp-lp/main.o $(PLANNER) $(B)/libsapp.a
	@$(PROGRAM) $(B)/sapp-lp/main.o $(PLANNER) $(B)/libsapp.a $(ALL_LDLIBS)
$(UNIT_LP): $(B)/tests/%: tests/unit/%.c $(PLANNER) $(B)/libsapp.a
	@mkdir -p $(@D)
	@$(PROGRAM) $< $(PLANNER) $(B)/libsapp.a $(ALL_LDLIBS)
