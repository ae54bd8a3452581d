// Four neighbours for each kind of definition: KIND_a, KIND_b, KIND_c, KIND_d.
// The edits are about b, and about b with d.
#define EACH(F) F(object) F(member) F(comdat) F(common) F(anonymous) F(tls) F(data) F(bss)
