// libstdc++ has the hazard and its cure side by side: __rc_string_base counts
// its one empty representation, the copy-on-write std::string tests for it.
// RUN: rm -rf %t && split-file %s %t
// RUN: %clang-tidy --load %tidy_plugin '--checks=-*,linesman-shared-refcount' --system-headers --header-filter=.* %t/rc.cpp -- -std=c++17 2>&1 | FileCheck %s --check-prefix=RC
// RUN: %clang-tidy --load %tidy_plugin '--checks=-*,linesman-shared-refcount' --system-headers --header-filter=.* %t/cow.cpp -- -std=c++17 2>&1 | FileCheck %s --check-prefix=COW --allow-empty
// Without --system-headers nobody is told about other people's code.
// RUN: %clang-tidy --load %tidy_plugin '--checks=-*,linesman-shared-refcount' --header-filter=.* %t/rc.cpp -- -std=c++17 2>&1 | FileCheck %s --check-prefix=COW --allow-empty
// REQUIRES: libstdcxx
// RC: rc_string_base.h:[[#]]:[[#]]: warning: '__gnu_cxx::__rc_string_base::{{.*}}' counts '__gnu_cxx::__rc_string_base::_Rep{{.*}}::_M_refcount' of the static '__gnu_cxx::__rc_string_base::_S_empty_rep'
// RC: rc_string_base.h:[[#]]:[[#]]: note: it is counted here
// RC-NOT: warning:
// COW-NOT: warning: {{.*}}linesman

//--- rc.cpp
#include <ext/vstring.h>
using Narrow = __gnu_cxx::__versa_string<char, std::char_traits<char>,
                                         std::allocator<char>,
                                         __gnu_cxx::__rc_string_base>;
using Wide = __gnu_cxx::__versa_string<wchar_t, std::char_traits<wchar_t>,
                                       std::allocator<wchar_t>,
                                       __gnu_cxx::__rc_string_base>;
Narrow narrow() { return Narrow(); }
Wide wide() { return Wide(); }

//--- cow.cpp
#define _GLIBCXX_USE_CXX11_ABI 0
#include <string>
template class std::basic_string<char>;
std::string copy(const std::string &Other) { return Other; }
std::string empty() { return std::string(); }
