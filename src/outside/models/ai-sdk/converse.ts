import { generateText, type LanguageModel, type StepResult, type ToolSet, tool } from 'ai'
import { z } from 'zod'
import {
  type Conversation,
  type ModelAccess,
  ModelFailedError,
  type ModelTool,
  type ModelUse,
  type Spoken,
} from '../provider.ts'
import { failureInWords, type ModelOwner } from './failure.ts'
import { modelsOf } from './providers.ts'

/** Attempts after the first, where a provider is busy for a moment. */
const RETRIES = 2

/** Talks with the model that the conversation names, or with that of the access. */
export function converseWith(
  access: ModelAccess,
  owner: ModelOwner,
  fetch: typeof globalThis.fetch,
  conversation: Conversation,
): Promise<Spoken> {
  const modelOf = modelsOf(access, fetch)
  return converse(modelOf(conversation.modelId ?? access.modelId), conversation, owner)
}

async function converse(model: LanguageModel, conversation: Conversation, owner: ModelOwner): Promise<Spoken> {
  const { system, prompt, tools, limits, signal } = conversation
  const use: ModelUse = { inputTokens: 0, outputTokens: 0 }
  const ends = { now: false }
  try {
    const { text, finishReason } = await generateText({
      model,
      system,
      prompt,
      tools: Object.fromEntries(tools.map((one) => [one.name, toolOf(one, ends)])),
      maxOutputTokens: limits.tokensOfAnswer,
      maxRetries: RETRIES,
      abortSignal: signal,
      stopWhen: ({ steps }) => ends.now || steps.length >= limits.steps || tokensOf(use) >= limits.tokens,
      onStepFinish: (step) => count(step, use),
    })
    if (finishReason === 'content-filter') return { ...use, text, ending: 'refused' }
    const isCut = finishReason === 'length' || (finishReason === 'tool-calls' && !ends.now)
    return { ...use, text, ending: isCut ? 'limit' : 'said' }
  } catch (error) {
    throw new ModelFailedError(signal.aborted ? 'The model was stopped.' : failureInWords(error, owner), use)
  }
}

function count({ usage }: StepResult<ToolSet>, use: ModelUse): void {
  use.inputTokens += usage.inputTokens ?? 0
  use.outputTokens += usage.outputTokens ?? 0
}

function tokensOf({ inputTokens, outputTokens }: ModelUse): number {
  return inputTokens + outputTokens
}

function toolOf({ description, argument, run, ends }: ModelTool, conversation: { now: boolean }) {
  return tool({
    description,
    inputSchema: z.object({ [argument]: z.string() }),
    execute: (given) => {
      conversation.now ||= ends === true
      return run(given[argument] ?? '')
    },
  })
}
