import type { Vault } from '../../records/services.ts'

/** What is stored of a secret that a browser or a link holds: a keyed hash. */
export function hashOfSecret(vault: Pick<Vault, 'derive'>, secret: string): string {
  return vault.derive('people', secret)
}
