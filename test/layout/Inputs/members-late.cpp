// The unit that has what members.cpp only declares.
#include "members-late.h"

app::Part::~Part() = default;
Root::~Root() = default;
