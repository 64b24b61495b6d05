import { platformConnection } from '../access/account-of.ts'
import type { ProviderCaller } from '../contract/declarations/caller.ts'
import type { HttpParts } from '../http/http.ts'
import type { Context } from '../records/context.ts'
import { inspectConnection, keyRefusalIn, noteRefusal } from '../resources/sales/payment/connection/inspect.ts'
import { listeningConnection } from '../resources/sales/payment/connection/open.ts'
import { applyNotice, NOTICE_EVENTS } from '../resources/sales/payment/notice.ts'
import type { Core } from './core.ts'

type Notices = HttpParts['notices']
type NoticeSource = Notices['providers'][number]
/** Returns the handlers of webhook events about payments, for all payment providers. */
export function noticesOf(core: Core): Notices {
  const { services, pipeline, database, log } = core
  const { all, connectors } = services.payments
  const onNotice: Notices['onNotice'] = (notice, provider) => {
    const caller: ProviderCaller = { kind: 'provider', accountId: notice.accountId, provider }
    const apply = (context: Context) => applyNotice(context, notice, provider)
    return pipeline.contexts.part(database, caller, NOTICE_EVENTS, apply, { inTurn: true })
  }
  const connection: Notices['connection'] = async ({ provider, accountId, id }) => {
    const caller: ProviderCaller = { kind: 'provider', accountId, provider }
    const found = await pipeline.contexts.look(database, caller, (context) =>
      listeningConnection(context, provider, id),
    )
    if (found === null) return null
    const { opened, key, isRefused } = found
    const readNotice: NoticeSource['readNotice'] = async (body, header) => {
      try {
        return await opened.readNotice(body, header)
      } catch (error) {
        const refused = keyRefusalIn(error)
        if (!refused) throw error
        const { message, reason } = refused
        if (!isRefused) log.warn({ provider: id, reason: message }, 'A notice cannot be read: the key is refused')
        const refusal = { name: id, key, message }
        if (reason !== 'permission')
          await pipeline.contexts.part(database, caller, [], (context) => noteRefusal(context, refusal))
        throw error
      }
    }
    return { name: id, noticesPath: opened.noticesPath, readNotice }
  }
  const platforms = connectors.flatMap((connector) => platformOf(core, connector, { onNotice, connection }))
  return { providers: [...all, ...platforms], connectors: connectors.map(({ name }) => name), connection, onNotice }
}

/** Returns the endpoint for webhook events about all accounts that are connected to the service's platform account at a provider. */
function platformOf(
  { database, pipeline }: Core,
  { name, platform }: Core['services']['payments']['connectors'][number],
  { onNotice, connection }: Pick<Notices, 'onNotice' | 'connection'>,
): NoticeSource[] {
  if (platform === null) return []
  const inspect = (accountId: string, id: string) =>
    pipeline.contexts.part(database, { kind: 'provider', accountId, provider: name }, [], (context) =>
      context.enqueue(inspectConnection, { connection: id }, { inRealTime: true }),
    )
  const readNotice: NoticeSource['readNotice'] = async (body, header) => {
    const addressed = await platform.addressee(body, header)
    const found = addressed && (await platformConnection(database.read, name, addressed.providerAccount))
    if (!found) return null
    const { account_id: accountId, id } = found
    if (addressed.kind !== 'payment') {
      await inspect(accountId, id)
      return null
    }
    const notice = await (await connection({ provider: name, accountId, id }))?.readNotice(body, header)
    if (notice?.accountId === accountId) await onNotice(notice, id)
    return null
  }
  return [{ name, noticesPath: platform.noticesPath, readNotice }]
}
