# The tools and unit tests over two libraries that they load, of lib and of the planner: after a change of one source,
# one object is compiled and one library linked, and all programs have it. LD_LIBRARY_PATH says where they are.
include Makefile

# What a library needs of LAPACK, only some programs have: the others do not come there.
SHARED = $(CC) -shared $(SAN:%=-fsanitize=%) $(LINKER) -Wl,-Bsymbolic -Wl,-soname,$(@F) -o $@ $(filter %.o,$^) \
	$(ALL_LDLIBS)
PROGRAM = $(CC) $(ALL_CFLAGS) $(ALL_LDFLAGS) -o $@
LINKER := $(if $(shell command -v ld.lld),-fuse-ld=lld)
ALL_LDFLAGS += $(LINKER) -Wl,--allow-shlib-undefined -Wl,--no-as-needed
PLANNER = $(B)/libplanner.so
$(PLANNER): LDLIBS += $(LPSOLVE)

$(B)/libsapp.a: $(filter $(B)/lib/%,$(OBJ))
	@$(SHARED)
$(PLANNER): $(filter-out %/main.o,$(filter $(B)/sapp-lp/%,$(OBJ)))
	@$(SHARED)
$(B)/bin/sapp-lp: $(B)/sapp-lp/main.o $(PLANNER) $(B)/libsapp.a
	@$(PROGRAM) $(B)/sapp-lp/main.o $(PLANNER) $(B)/libsapp.a $(ALL_LDLIBS)
$(UNIT_LP): $(B)/tests/%: tests/unit/%.c $(PLANNER) $(B)/libsapp.a
	@mkdir -p $(@D)
	@$(PROGRAM) $< $(PLANNER) $(B)/libsapp.a $(ALL_LDLIBS)
