// A chat completion, with the OpenAI SDK's defaults.

import OpenAI from "openai";

export function client(endpoint) {
  return new OpenAI({ baseURL: `${endpoint}/v1` });
}

export async function call(client) {
  const completion = await client.chat.completions.create({
    model: "gpt-5-mini",
    messages: [{ role: "user", content: "Say that you are well." }],
  });
  return completion.choices[0].message.content;
}
