import type { Noun } from '../../contract/declarations/noun.ts'
import type { Context } from '../../records/context.ts'

const MARK = '_secret_'

type Vaulted = Pick<Context, 'services'>

/**
 * What lets its holder open one resource without an account: its id and a capability, which is derived from the service's
 * secret key and stored nowhere.
 */
export function secretOf({ services }: Vaulted, noun: Noun, id: string): string {
  return `${id}${MARK}${services.vault.derive(noun.name, id)}`
}

/** The id of the resource that a secret opens, or null when it is not the right one. */
export function idOfSecret({ services }: Vaulted, noun: Noun, secret: string): string | null {
  const [id = '', given = '', ...more] = secret.split(MARK)
  if (more.length > 0 || !noun.isId(id)) return null
  return services.vault.matches(noun.name, id, given) ? id : null
}
