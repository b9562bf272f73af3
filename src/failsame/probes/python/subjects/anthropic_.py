"""A message, with the Anthropic SDK's defaults."""

import anthropic


def client(endpoint):
    return anthropic.Anthropic(base_url=endpoint)


def call(client):
    message = client.messages.create(
        model="claude-sonnet-4-5", max_tokens=64, messages=[{"role": "user", "content": "Say that you are well."}]
    )
    return message.content[0].text
