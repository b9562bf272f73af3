"""A chat completion, with the OpenAI SDK's defaults."""

import openai


def client(endpoint):
    return openai.OpenAI(base_url=f"{endpoint}/v1")


def call(client):
    completion = client.chat.completions.create(
        model="gpt-5-mini", messages=[{"role": "user", "content": "Say that you are well."}]
    )
    return completion.choices[0].message.content
