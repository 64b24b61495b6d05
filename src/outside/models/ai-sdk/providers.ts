import { createAnthropic } from '@ai-sdk/anthropic'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import type { LanguageModel } from 'ai'
import type { ModelAccess } from '../provider.ts'
import { limitingAnswers } from './answer-length.ts'

type Access = Omit<ModelAccess, 'modelId'>
type ModelOf = (modelId: string) => LanguageModel

/** The models of a provider, by their names there. */
export function modelsOf(access: Access, fetch: typeof globalThis.fetch): ModelOf {
  return access.provider === 'anthropic' ? anthropicModels(access, fetch) : compatibleModels(access, fetch)
}

/** Models that speak Anthropic's Messages API. Without a key, `x-api-key` is empty, as gateways accept that add it themselves. */
function anthropicModels({ apiKey, baseUrl }: Access, fetch: typeof globalThis.fetch): ModelOf {
  // Without an address of ours the library would take that of an environment variable.
  const provider = createAnthropic({ apiKey: apiKey ?? '', baseURL: baseUrl ?? ANTHROPIC, fetch })
  return (modelId) => provider(modelId)
}

const ANTHROPIC = 'https://api.anthropic.com/v1'

/** Models that speak OpenAI's Chat Completions, as most local servers do. */
function compatibleModels({ apiKey, baseUrl }: Access, plainFetch: typeof globalThis.fetch): ModelOf {
  const name = 'compatible'
  const fetch = limitingAnswers(plainFetch)
  const provider = createOpenAICompatible({ name, baseURL: baseUrl ?? '', ...(apiKey !== null && { apiKey }), fetch })
  return (modelId) => provider(modelId)
}
