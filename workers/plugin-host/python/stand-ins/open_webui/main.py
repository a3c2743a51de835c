from .utils.chat import generate_chat_completion

generate_chat_completions = chat_completion = generate_chat_completion
