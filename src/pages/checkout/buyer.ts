import { createHash } from 'node:crypto'
import { accountOf } from '../../access/account-of.ts'
import { GuessLimit } from '../../access/guess-limit.ts'
import { networkOf } from '../../access/network.ts'
import type { BuyerCaller } from '../../contract/caller.ts'
import { checkoutIdOf } from '../../resources/sales/checkout/secret.ts'
import type { CheckoutPageParts } from './parts.ts'

/** Somebody who holds the secret of a checkout, or how long whoever asks has to wait; null for a wrong secret. */
export type Identified = { caller: BuyerCaller } | { waitMs: number } | null

/** Identifies buyers by the secrets in addresses, and bounds how many of them a client can try. */
export class BuyerDesk {
  readonly #guesses = new GuessLimit()
  readonly #parts: Pick<CheckoutPageParts, 'services' | 'database'>

  constructor(parts: Pick<CheckoutPageParts, 'services' | 'database'>) {
    this.#parts = parts
  }

  async identify(secret: string, address: string): Promise<Identified> {
    const client = networkOf(address)
    const hash = createHash('sha256').update(secret).digest('hex')
    const waitMs = this.#guesses.waitMs(client, hash)
    if (waitMs > 0) return { waitMs }
    const checkoutId = checkoutIdOf(this.#parts, secret)
    const accountId = checkoutId && (await accountOf(this.#parts.database.read, 'checkouts', checkoutId))
    if (!checkoutId || !accountId) {
      this.#guesses.noteWrong(client)
      return null
    }
    this.#guesses.noteRight(client, hash)
    return { caller: { kind: 'buyer', accountId, checkoutId } }
  }
}
