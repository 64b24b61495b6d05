import { requireValid } from '../../../contract/declarations/errors.ts'
import { parseObject } from '../../../contract/requests/input.ts'
import type { SourceConfig, SourceProvider } from '../../../providers/sources/provider.ts'
import type { VaultContext } from '../../../records/context.ts'
import type { Vault } from '../../../records/services.ts'
import type { EventSourceRow } from './event-source.ts'

const PURPOSE = 'event source'

interface StoredConfig {
  /** Contains null in place of secrets. */
  config: SourceConfig
  sealed_secrets: string | null
}

/** Validates a configuration against the provider's fields and encrypts its secrets. Throws a 422 at `config.<field>`. */
export function settleConfig(
  { services }: VaultContext,
  provider: SourceProvider,
  given: SourceConfig,
): { whole: SourceConfig; kept: StoredConfig } {
  const { values, errors } = parseObject(given, provider.config, 'config')
  requireValid(errors)
  const problems = provider.check?.(values, services.web.outside) ?? {}
  requireValid(Object.fromEntries(Object.entries(problems).map(([field, problem]) => [`config.${field}`, [problem]])))
  return { whole: values, kept: sealed(services.vault, provider, values) }
}

function sealed(vault: Vault, { config: fields }: SourceProvider, values: SourceConfig): StoredConfig {
  const names = Object.keys(fields).filter((name) => fields[name]!.spec.use === 'input')
  const given = names.filter((name) => values[name] != null).map((name) => [name, values[name]])
  const text = JSON.stringify(Object.fromEntries(given))
  return {
    config: { ...values, ...Object.fromEntries(names.map((name) => [name, null])) },
    sealed_secrets: given.length > 0 ? vault.seal(PURPOSE, text) : null,
  }
}

export function openConfig({ services }: VaultContext, { config, sealed_secrets }: EventSourceRow): SourceConfig {
  if (sealed_secrets === null) return config
  return { ...config, ...(JSON.parse(services.vault.open(PURPOSE, sealed_secrets)) as SourceConfig) }
}
