import type { WebClient } from '../web/client.ts'
import type { ModelOwner } from './ai-sdk/failure.ts'
import { boundedFetch, guardedFetch } from './ai-sdk/guarded-fetch.ts'
import type { ModelAccess, ModelRegistry, Models } from './provider.ts'

interface ModelSettings {
  MODEL_PROVIDER?: 'anthropic' | 'openai-compatible' | undefined
  MODEL_API_KEY?: string | undefined
  MODEL_BASE_URL?: string | undefined
  MODEL_ID?: string | undefined
}

/** Returns the service's model, if configured. The models of accounts are reached through `web`. */
export function createModels(settings: ModelSettings, web: WebClient): ModelRegistry {
  return {
    service: serviceModel(settings),
    own: (access) => modelsOf(access, 'account', guardedFetch(web)),
  }
}

/** Opens the service's model, which may have a private address, because the operator configures it. */
function serviceModel(settings: ModelSettings): Models | null {
  const { MODEL_PROVIDER: provider, MODEL_API_KEY, MODEL_BASE_URL, MODEL_ID: modelId } = settings
  if (provider === undefined || modelId === undefined) return null
  const access = { provider, modelId, apiKey: MODEL_API_KEY ?? null, baseUrl: MODEL_BASE_URL ?? null }
  return modelsOf(access, 'service', boundedFetch)
}

function modelsOf(access: ModelAccess, owner: ModelOwner, fetch: typeof globalThis.fetch): Models {
  return {
    async converse(conversation) {
      // The libraries are loaded with the first conversation, because they are large and many services never use a model.
      const { converseWith } = await import('./ai-sdk/converse.ts')
      return converseWith(access, owner, fetch, conversation)
    },
  }
}
