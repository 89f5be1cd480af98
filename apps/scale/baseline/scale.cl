#define MOST 8 // groups

// The number of ways to choose k of n.
ulong choose(ulong n, int k) {
  ulong ways = 1;
  for (int i = 0; i < k; i++)
    ways = ways * (n - i) / (i + 1);
  return ways;
}

// Counts the objects that one set of boundaries puts into a wrong group. The
// objects are in ascending order, and boundary b of the set stands before
// object cuts[b]. Sets are numbered in lexicographic order.
kernel void count(global const int *group, int objects, global const int *cuts,
                  int places, int groups, ulong first, int sets,
                  global int *errors) {
  int set = get_global_id(0);
  if (set >= sets)
    return;
  ulong rest = first + set;
  int end[MOST];
  for (int b = 0, place = 0; b < groups - 1; b++, place++) {
    for (;;) {
      ulong ways = choose(places - 1 - place, groups - 2 - b);
      if (rest < ways)
        break;
      rest -= ways;
      place++;
    }
    end[b] = cuts[place];
  }
  end[groups - 1] = objects;
  int wrong = 0, i = 0;
  for (int k = 0; k < groups; k++)
    for (; i < end[k]; i++)
      wrong += group[i] != k;
  errors[set] = wrong;
}
