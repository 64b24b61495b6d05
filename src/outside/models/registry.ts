import { converseBy } from './ai-sdk/converse.ts'
import { anthropicModel, compatibleModel } from './ai-sdk/providers.ts'
import type { Models } from './provider.ts'

interface ModelSettings {
  MODEL_PROVIDER?: 'anthropic' | 'openai-compatible' | undefined
  MODEL_API_KEY?: string | undefined
  MODEL_BASE_URL?: string | undefined
  MODEL_ID?: string | undefined
}

/** The model of this service, or null where none is set up. */
export function createModels(settings: ModelSettings): Models | null {
  const { MODEL_PROVIDER: provider, MODEL_API_KEY: apiKey, MODEL_BASE_URL: baseUrl, MODEL_ID: modelId } = settings
  if (provider === undefined || modelId === undefined) return null
  const modelOf = provider === 'anthropic' ? anthropicModel({ apiKey, baseUrl }) : compatibleModel({ apiKey, baseUrl })
  return converseBy((asked) => modelOf(asked ?? modelId))
}
