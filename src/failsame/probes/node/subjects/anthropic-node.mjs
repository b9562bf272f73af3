// A message, with the Anthropic SDK's defaults.

import Anthropic from "@anthropic-ai/sdk";

export function client(endpoint) {
  return new Anthropic({ baseURL: endpoint });
}

export async function call(client) {
  const message = await client.messages.create({
    model: "claude-sonnet-4-5",
    max_tokens: 64,
    messages: [{ role: "user", content: "Say that you are well." }],
  });
  return message.content[0].text;
}
