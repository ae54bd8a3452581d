// RUN: %check_tidy %s linesman-sentinel-write %t --header-filter=none
// RUN: %check_tidy -check-suffix=HEADER %s linesman-sentinel-write %t --header-filter=.*
#include "sentinel-header.h"

void use(Holder &H) { H.touch(); }
// CHECK-MESSAGES-HEADER: sentinel-header.h:9:34: warning: 'Holder::touch' writes 'Item::uses_seen' through a pointer that may be to the static 'no_item'
