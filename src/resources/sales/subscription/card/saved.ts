import type { SavedMethod } from '../../../../outside/payments/provider.ts'

/** The saved method in a row of a subscription or a payment. */
export function savedMethod(method: string): SavedMethod {
  return JSON.parse(method) as SavedMethod
}
