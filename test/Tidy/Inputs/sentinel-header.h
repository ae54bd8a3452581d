// A hazard in a header: reported where -header-filter wants it.
#pragma once
struct Item {
  int uses_seen;
};
inline Item no_item;
struct Holder {
  Item *item = &no_item;
  void touch() { item->uses_seen = 1; }
};
