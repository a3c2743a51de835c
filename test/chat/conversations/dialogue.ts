/** A chat document as clients of the peer save it: a question and its answer. */
export function dialogue(first = "What is a harbour?", second = "A place for ships.") {
  return {
    title: "Ships",
    models: ["m1"],
    params: { temperature: 0.5 },
    history: {
      currentId: "a1",
      messages: {
        u1: {
          id: "u1",
          parentId: null,
          childrenIds: ["a1"],
          role: "user",
          content: first,
          timestamp: 1_700_000_000,
          models: ["m1"],
        },
        a1: {
          id: "a1",
          parentId: "u1",
          childrenIds: [],
          role: "assistant",
          content: second,
          timestamp: 1_700_000_005,
          model: "m1",
          done: true,
        },
      },
    },
  };
}
