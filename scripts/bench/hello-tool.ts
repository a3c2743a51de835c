/** A Python tool with the valves and the function that most of them have. @param end what it says last */
export const helloTool = (title: string, end = "") => `"""
title: ${title}
"""
from pydantic import BaseModel, Field

class Tools:
    class Valves(BaseModel):
        greeting: str = Field(default="Hello", description="How to greet")

    def __init__(self):
        self.valves = self.Valves()

    async def hello(self, name: str) -> str:
        """
        Greets.
        :param name: whom
        """
        return f"{self.valves.greeting} {name}${end}"
`;

/** The first account of a service: its administrator's token. */
export async function signUp(url: string): Promise<string> {
  const response = await fetch(`${url}/api/v1/auths/signup`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ name: "Bench", email: "bench@example.com", password: "a long enough password" }),
  });
  if (!response.ok) throw new Error(`The sign-up answered ${response.status}: ${await response.text()}`);
  return ((await response.json()) as { token: string }).token;
}
