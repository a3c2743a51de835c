"""Stands in for rpds-py, which is compiled: maps, sets and lists that are copied where they change."""

import collections.abc


class HashTrieMap(collections.abc.Mapping):
    def __init__(self, value=(), /, **more):
        self._values = dict(value, **more)

    @classmethod
    def convert(cls, value):
        return value if isinstance(value, cls) else cls(value)

    @classmethod
    def fromkeys(cls, keys, value=None):
        return cls(dict.fromkeys(keys, value))

    def __getitem__(self, key):
        return self._values[key]

    def __iter__(self):
        return iter(self._values)

    def __len__(self):
        return len(self._values)

    def __hash__(self):
        return hash(frozenset(self._values.items()))

    def __repr__(self):
        return f"HashTrieMap({self._values!r})"

    def insert(self, key, value):
        return HashTrieMap({**self._values, key: value})

    def update(self, *others, **more):
        values = dict(self._values)
        for other in others:
            values.update(other)
        return HashTrieMap(values, **more)

    def remove(self, key):
        values = dict(self._values)
        del values[key]
        return HashTrieMap(values)

    def discard(self, key):
        return self.remove(key) if key in self._values else self


class HashTrieSet(collections.abc.Set):
    def __init__(self, values=()):
        self._values = frozenset(values)

    def __contains__(self, value):
        return value in self._values

    def __iter__(self):
        return iter(self._values)

    def __len__(self):
        return len(self._values)

    def __hash__(self):
        return hash(self._values)

    def __repr__(self):
        return f"HashTrieSet({set(self._values)!r})"

    def insert(self, value):
        return HashTrieSet(self._values | {value})

    def update(self, *others):
        return HashTrieSet(self._values.union(*others))

    union = update

    def remove(self, value):
        return HashTrieSet(self._values - {value}) if value in self._values else _raise(value)

    def discard(self, value):
        return HashTrieSet(self._values - {value})

    def intersection(self, other):
        return HashTrieSet(self._values & frozenset(other))

    def difference(self, other):
        return HashTrieSet(self._values - frozenset(other))

    def symmetric_difference(self, other):
        return HashTrieSet(self._values ^ frozenset(other))


class List:
    def __init__(self, *values):
        self._values = tuple(values[0]) if len(values) == 1 and isinstance(values[0], collections.abc.Iterable) else values

    def __iter__(self):
        return iter(self._values)

    def __reversed__(self):
        return type(self)(reversed(self._values))

    def __len__(self):
        return len(self._values)

    def __eq__(self, other):
        return self._values == other._values if type(other) is type(self) else NotImplemented

    def __hash__(self):
        return hash(self._values)

    def __repr__(self):
        return f"{type(self).__name__}({list(self._values)!r})"

    @property
    def first(self):
        return self._values[0] if self._values else _raise("empty list", IndexError)

    @property
    def rest(self):
        return type(self)(self._values[1:])

    def push_front(self, value):
        return type(self)((value, *self._values))

    def drop_first(self):
        return self.rest if self._values else _raise("empty list", IndexError)


class Queue(List):
    @property
    def peek(self):
        return self.first

    @property
    def is_empty(self):
        return not self._values

    def enqueue(self, value):
        return Queue((*self._values, value))

    def dequeue(self):
        return self.drop_first()


class Stack(List):
    def peek(self):
        return self.first

    def push(self, value):
        return self.push_front(value)

    def pop(self):
        return self.drop_first()


def _raise(value, kind=KeyError):
    raise kind(value)
