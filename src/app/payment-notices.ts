import { platformConnection } from '../access/account-of.ts'
import type { ProviderCaller } from '../contract/declarations/caller.ts'
import type { HttpParts } from '../http/http.ts'
import type { Context } from '../records/context.ts'
import { inspectConnection } from '../resources/sales/payment/connection/inspect.ts'
import { listeningConnection } from '../resources/sales/payment/connection/open.ts'
import { noteRefusal } from '../resources/sales/payment/connection/refused.ts'
import { applyNotice, NOTICE_EVENTS } from '../resources/sales/payment/notice.ts'
import type { Core } from './core.ts'

type Notices = HttpParts['notices']
type Source = Notices['providers'][number]
type Connector = Core['services']['payments']['connectors'][number]

/** A notice about an account under the platform that is no payment. */
interface Told {
  accountId: string
  id: string
  isDisconnected: boolean
}

/** Applies the notices that payment providers post about their payments. */
export function noticesOf(core: Core): Notices {
  const { services, pipeline, database } = core
  const { all, connectors } = services.payments
  const onNotice: Notices['onNotice'] = (notice, provider) => {
    const caller: ProviderCaller = { kind: 'provider', accountId: notice.accountId, provider }
    const apply = (context: Context) => applyNotice(context, notice, provider)
    return pipeline.applier.part(database, caller, NOTICE_EVENTS, apply, { inTurn: true })
  }
  const connection: Notices['connection'] = ({ provider, accountId, id }) =>
    pipeline.applier.look(database, { kind: 'provider', accountId, provider }, (context) =>
      listeningConnection(context, provider, id),
    )
  const platforms = connectors.flatMap((connector) => platformOf(core, connector, { onNotice, connection }))
  return { providers: [...all, ...platforms], connectors: connectors.map(({ name }) => name), connection, onNotice }
}

/** The one path to which a provider posts the notices of all accounts under the platform of the service. */
function platformOf(
  { database, pipeline }: Core,
  { name, title, platform }: Connector,
  { onNotice, connection }: Pick<Notices, 'onNotice' | 'connection'>,
): Source[] {
  if (platform === null) return []
  const tell = ({ accountId, id, isDisconnected }: Told) =>
    pipeline.applier.part(database, { kind: 'provider', accountId, provider: name }, [], async (context) => {
      const message = `${title} says that the access of this service to the account was removed there.`
      if (isDisconnected) await noteRefusal(context, { name: id, key: null, message })
      else await context.enqueue(inspectConnection, { connection: id }, { inRealTime: true })
    })
  const readNotice: Source['readNotice'] = async (body, header) => {
    const addressed = await platform.addressee(body, header)
    const found = addressed && (await platformConnection(database.read, name, addressed.providerAccount))
    if (!found) return null
    const { account_id: accountId, id } = found
    if (addressed.kind !== 'payment') {
      await tell({ accountId, id, isDisconnected: addressed.kind === 'disconnected' })
      return null
    }
    const notice = await (await connection({ provider: name, accountId, id }))?.readNotice(body, header)
    if (notice?.accountId === accountId) await onNotice(notice, id)
    return null
  }
  return [{ name, noticesPath: platform.noticesPath, readNotice }]
}
