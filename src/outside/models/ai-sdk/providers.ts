import { createAnthropic } from '@ai-sdk/anthropic'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import type { LanguageModel } from 'ai'
import { boundedFetch } from './bounded-fetch.ts'

interface Access {
  apiKey: string | undefined
  baseUrl: string | undefined
}

type ModelOf = (modelId: string) => LanguageModel

/** Models that speak Anthropic's Messages API. Without a key, `x-api-key` is empty, as gateways accept that add it themselves. */
export function anthropicModel({ apiKey, baseUrl }: Access): ModelOf {
  const provider = createAnthropic({
    apiKey: apiKey ?? '',
    ...(baseUrl !== undefined && { baseURL: baseUrl }),
    fetch: boundedFetch,
  })
  return (modelId) => provider(modelId)
}

/** Models that speak OpenAI's Chat Completions, as most local servers do. */
export function compatibleModel({ apiKey, baseUrl }: Access): ModelOf {
  const provider = createOpenAICompatible({
    name: 'compatible',
    baseURL: baseUrl ?? '',
    ...(apiKey !== undefined && { apiKey }),
    fetch: boundedFetch,
  })
  return (modelId) => provider(modelId)
}
