// What the command line takes. Alone, so that it can be read before anything is installed.

export const USAGE = `node agent.mjs [--skills] [FOLDER] [options]      FOLDER: ./skills by default

  --prompt TEXT      what to ask, instead of the built-in prompts; may be repeated; needs a provider;
                     "/name …" stands for a skill, "/compact" summarizes the conversation
  --provider NAME    anthropic, openai or scripted; by default the one whose key is set:
                     ANTHROPIC_API_KEY, OPENAI_API_KEY, else the scripted model, which needs none
  --model NAME       the provider's model
  --max-turns N      turns of the model for one prompt (12)
  --context N        characters after which the conversation is summarized (200000)
  --json             one JSON object instead of text
  --help

ANTHROPIC_BASE_URL and OPENAI_BASE_URL lead to another server.
Exit code: 0 done, 1 no skill for the model in FOLDER, 2 wrong usage, 3 the provider failed.`;
