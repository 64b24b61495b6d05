import type { WebClient } from '../web/client.ts'
import { boundedFetch } from './ai-sdk/bounded-fetch.ts'
import { converseBy } from './ai-sdk/converse.ts'
import { guardedFetch } from './ai-sdk/guarded-fetch.ts'
import { modelsOf } from './ai-sdk/providers.ts'
import type { ModelRegistry, Models } from './provider.ts'

interface ModelSettings {
  MODEL_PROVIDER?: 'anthropic' | 'openai-compatible' | undefined
  MODEL_API_KEY?: string | undefined
  MODEL_BASE_URL?: string | undefined
  MODEL_ID?: string | undefined
}

/** The model of this service, where the settings name one, and those that accounts bring, which `web` reaches. */
export function createModels(settings: ModelSettings, web: WebClient): ModelRegistry {
  return {
    service: serviceModel(settings),
    own({ modelId, ...access }) {
      const modelOf = modelsOf(access, guardedFetch(web))
      return converseBy((asked) => modelOf(asked ?? modelId), 'account')
    },
  }
}

/** Its address comes from whoever runs the service, and is often a private one. */
function serviceModel(settings: ModelSettings): Models | null {
  const { MODEL_PROVIDER: provider, MODEL_API_KEY, MODEL_BASE_URL, MODEL_ID: modelId } = settings
  if (provider === undefined || modelId === undefined) return null
  const access = { provider, apiKey: MODEL_API_KEY ?? null, baseUrl: MODEL_BASE_URL ?? null }
  const modelOf = modelsOf(access, boundedFetch)
  return converseBy((asked) => modelOf(asked ?? modelId), 'service')
}
