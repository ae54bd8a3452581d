# A program as it is and with a patch that cures it, into OUT, and what tells
# checks how it is compiled. Who includes this says PROGRAM, and CURE, the patch's
# name.
# LINESMAN is the folder that has lib/linesman-facts.so.

OUT ?= out
LINESMAN ?= ../../build
FACTS = $(LINESMAN)/lib/linesman-facts.so
CXX = clang++-22
CXXFLAGS = -std=c++20 -O2 -g -fdata-sections -fpass-plugin=$(FACTS)
LINK = $(CXX) -fuse-ld=lld -pthread

all: $(OUT)/$(PROGRAM) $(OUT)/$(PROGRAM)-$(CURE)

$(OUT)/$(PROGRAM): main.cpp ../threads.h $(FACTS)
	@mkdir -p $(@D)
	$(CXX) $(CXXFLAGS) -MJ $@.json -c $< -o $@.o
	sed -e '1s/^/[/' -e '$$s/,$$/]/' $@.json >$(OUT)/compile_commands.json
	$(LINK) $@.o -o $@

$(OUT)/$(PROGRAM)-$(CURE): $(CURE).patch main.cpp ../threads.h $(FACTS)
	@mkdir -p $(OUT)/$(CURE)
	cp main.cpp $(OUT)/$(CURE)
	cp ../threads.h $(OUT)
	patch -s -d $(OUT)/$(CURE) -p1 <$<
	$(CXX) $(CXXFLAGS) -c $(OUT)/$(CURE)/main.cpp -o $@.o
	$(LINK) $@.o -o $@

.PHONY: all
