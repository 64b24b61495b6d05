import { KeyRefusedError } from '../connector.ts'

/** Secret and restricted keys of live mode. */
const LIVE_KEY = /^[sr]k_live_/
const KEY = /^[sr]k_(test|live)_[!-~]{6,}$/
const RESTRICTED_KEY = /^rk_/

const WHERE = "in Stripe's dashboard, under Developers, API keys"

export function isLiveKey(key: string): boolean {
  return LIVE_KEY.test(key)
}

/** Other keys may do everything. */
export function isRestrictedKey(key: string): boolean {
  return RESTRICTED_KEY.test(key)
}

/** Throws KeyRefusedError for what cannot be a key to take payments with, so that it is sent nowhere. */
export function requireKey(key: string): void {
  const message = keyProblem(key)
  if (message) throw new KeyRefusedError(message, { owner: 'account', reason: 'key' })
}

function keyProblem(key: string): string | null {
  if (KEY.test(key)) return null
  if (key.startsWith('pk_'))
    return `This is a publishable key, which cannot take payments. Make a restricted key, which begins with rk_live_, ${WHERE}.`
  if (key.startsWith('whsec_'))
    return `This is the signing secret of a webhook. Make a restricted key, which begins with rk_live_, ${WHERE}.`
  return `This is not a key of Stripe. A restricted key begins with rk_live_, or with rk_test_ for payments that are not real; make one ${WHERE}.`
}
