import type { ConnectedAccount } from '../../../providers/payments/connector.ts'
import type { Context } from '../../../records/context.ts'
import { dashboardRead } from '../../../records/dashboard-read.ts'
import { countRows, rowsOf } from '../../../records/rows-of.ts'
import { type ConnectionRow, connectionsOf } from '../../sales/payment/connection/current.ts'
import { providerTitle } from '../../sales/payment/connection/open.ts'
import { type Taking, takingOf } from '../../sales/payment/provider.ts'

/** Shows how the account takes payments and the steps that are missing before it can take real money. */
export const paymentSettings = dashboardRead('settings.read', async (context) => {
  const { payments } = context.services
  const taking = await takingOf(context)
  const connections: ShownConnection[] = []
  for (const row of await connectionsOf(context))
    if (row.status !== 'deleted') connections.push(await shownConnection(context, row))
  return {
    taken_by: taking.by,
    ...describeTaking(context, taking, connections),
    connections,
    connectable: context.test
      ? []
      : payments.connectors.map((one) => ({
          ...{ provider: one.name, title: one.title, permissions: [...one.permissions] },
          ...{ key_url: one.newKeyUrl(true), makes_accounts: one.platform !== null },
        })),
    ...noticesOf(context, taking),
  }
})

function describeTaking({ test, services }: Context, taking: Taking, connections: readonly ShownConnection[]) {
  const { payments } = services
  const current = taking.by === 'connection' && connections.find(({ id }) => id === taking.connection.id)
  if (current) {
    const { provider_title, live, missing } = current
    const reason = live
      ? `Buyers pay with real money at ${provider_title}, into your own account there.`
      : `Buyers pay at ${provider_title} in its test mode, so no money moves.`
    return { provider_title, takes_real_money: live, reason, missing }
  }
  if (taking.by === 'service') {
    const { title, live, reason, missing } = payments.providerFor({ test: false })
    const warning = 'The keys are those of this service, so its operator gets the money.'
    return { provider_title: title, takes_real_money: live, reason: `${reason} ${warning}`, missing: [...missing] }
  }
  const { title } = payments.test
  if (taking.by === 'test') {
    const reason = test
      ? 'This is a test account, so its payments are never real.'
      : 'No payment provider is connected, so buyers pay with test cards and no money moves.'
    return { provider_title: title, takes_real_money: false, reason, missing: test ? [] : [CONNECT] }
  }
  const refused = taking.by === 'nobody' && taking.why === 'refused'
  const reason = refused
    ? 'The payment provider no longer takes your key, so buyers cannot pay by card.'
    : 'No payment provider is connected, so buyers cannot pay by card.'
  return { provider_title: 'None', takes_real_money: false, reason, missing: [refused ? RENEW : CONNECT] }
}

const CONNECT = 'Connect a payment provider under Settings, Payments.'
const RENEW = 'Enter a new key under Settings, Payments.'

/** Returns the webhook URL that the operator must enter at the service's payment provider, if the account uses that provider. */
function noticesOf({ services, publicUrl }: Context, { by }: Taking) {
  const path = by === 'service' ? services.payments.providerFor({ test: false }).noticesPath : null
  if (path === null) return { notices_from: null, notices_url: null }
  return { notices_from: services.payments.providerFor({ test: false }).title, notices_url: `${publicUrl}${path}` }
}

/** The stored part of the provider's response. */
type Details = Pick<ConnectedAccount, 'takesPayments' | 'methods' | 'payouts' | 'missing'>

type ShownConnection = Awaited<ReturnType<typeof shownConnection>>

async function shownConnection(context: Context, row: ConnectionRow) {
  const { takesPayments, methods, payouts, missing }: Details = JSON.parse(row.details)
  return {
    id: row.id,
    provider_title: providerTitle(context, row.provider),
    name: row.name ?? row.provider_account,
    live: row.live === 1,
    status: row.status === 'deleted' ? 'removed' : row.status,
    key_hint: row.key_hint,
    takes_payments: takesPayments,
    methods,
    payouts: payouts && payoutsInWords(payouts),
    missing,
    refused_reason: row.refused_reason,
    ...(await usesOf(context, row.id)),
  }
}

function payoutsInWords({ enabled, schedule }: NonNullable<Details['payouts']>): string {
  if (!enabled) return 'Not paid out yet'
  return schedule === null ? 'Paid out' : `Paid out ${schedule}`
}

/** Counts open items that still need a connection; a payment counts while its outcome is unknown. */
async function usesOf(context: Pick<Context, 'db' | 'accountId'>, id: string) {
  const paid = rowsOf(context, 'payments').where('provider', '=', id)
  const subscriptions = rowsOf(context, 'subscriptions').where('provider', '=', id).where('status', '!=', 'canceled')
  const refunds = rowsOf(context, 'refunds').where('status', '=', 'pending').where('payment', 'in', paid.select('id'))
  const disputes = rowsOf(context, 'orders').where('status', '=', 'disputed').where('id', 'in', paid.select('order_id'))
  const payments = paid.where('status', 'in', ['begun', 'needs_buyer', 'pending'])
  return {
    subscriptions: await countRows(subscriptions),
    refunds: await countRows(refunds),
    disputes: await countRows(disputes),
    payments: await countRows(payments),
  }
}
