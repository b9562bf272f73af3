"""A message, with a timeout of one second."""

import anthropic


def client(endpoint):
    return anthropic.Anthropic(base_url=endpoint, timeout=1.0)


def call(client):
    message = client.messages.create(
        model="claude-3-haiku-20240307", max_tokens=64, messages=[{"role": "user", "content": "Say that you are well."}]
    )
    return message.content[0].text
