import type { Noun } from '../../contract/declarations/noun.ts'
import type { VaultContext } from '../../records/context.ts'

const MARK = '_secret_'

/** Returns a secret that gives access to one resource without signing in; the derived part is never stored. */
export function secretOf({ services }: VaultContext, noun: Noun, id: string): string {
  return `${id}${MARK}${services.vault.derive(noun.name, id)}`
}

/** Returns null if the secret is wrong. */
export function idOfSecret({ services }: VaultContext, noun: Noun, secret: string): string | null {
  const [id = '', given = '', ...more] = secret.split(MARK)
  if (more.length > 0 || !noun.isId(id)) return null
  return services.vault.matches(noun.name, id, given) ? id : null
}
