import { createAnthropic } from '@ai-sdk/anthropic'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
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

const NEW_NAME = 'max_completion_tokens'
const OPENAI = 'api.openai.com'

type ProviderAccess = Omit<ModelAccess, 'modelId'>
type ModelOf = (modelId: string) => LanguageModel

const ANTHROPIC = 'https://api.anthropic.com/v1'

/** The number of retries after a provider reported a brief overload. */
const RETRIES = 2

export function converseWith(
  access: ModelAccess,
  owner: ModelOwner,
  fetch: typeof globalThis.fetch,
  conversation: Conversation,
): Promise<Spoken> {
  const modelsOf = access.provider === 'anthropic' ? anthropicModels : compatibleModels
  return converse(modelsOf(access, fetch)(conversation.modelId ?? access.modelId), conversation, owner)
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
      stopWhen: ({ steps }) =>
        ends.now || steps.length >= limits.steps || use.inputTokens + use.outputTokens >= limits.tokens,
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

/** Uses Anthropic's Messages API. Without a key, the header `x-api-key` is empty. Gateways that add a key accept that. */
function anthropicModels({ apiKey, baseUrl }: ProviderAccess, fetch: typeof globalThis.fetch): ModelOf {
  // Without an explicit URL, the library would read one from an environment variable.
  const provider = createAnthropic({ apiKey: apiKey ?? '', baseURL: baseUrl ?? ANTHROPIC, fetch })
  return (modelId) => provider(modelId)
}

/** Uses OpenAI's Chat Completions API, which most local servers offer too. */
function compatibleModels({ apiKey, baseUrl }: ProviderAccess, plainFetch: typeof globalThis.fetch): ModelOf {
  const name = 'compatible'
  const fetch = limitingAnswers(plainFetch)
  const provider = createOpenAICompatible({ name, baseURL: baseUrl ?? '', ...(apiKey !== null && { apiKey }), fetch })
  return (modelId) => provider(modelId)
}

/** Sends the token limit as `max_completion_tokens` to servers that require that name; most others only know `max_tokens`. */
function limitingAnswers(fetch: typeof globalThis.fetch): typeof globalThis.fetch {
  return async (input, init) => {
    const body = init?.body
    if (typeof body !== 'string') return fetch(input, init)
    const askAnew = () => fetch(input, { ...init, body: renamedIn(body) })
    if (new URL(String(input)).hostname === OPENAI) return askAnew()
    const answer = await fetch(input, init)
    const isRefused = answer.status === 400 && (await answer.clone().text()).includes(NEW_NAME)
    return isRefused ? askAnew() : answer
  }
}

function renamedIn(body: string): string {
  const { max_tokens, ...more } = JSON.parse(body)
  return JSON.stringify({ ...more, ...(max_tokens !== undefined && { [NEW_NAME]: max_tokens }) })
}
