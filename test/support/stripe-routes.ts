import type { StripeAccount } from './stripe-account.ts'
import { answerDispute, closeDispute } from './stripe-disputes.ts'
import type { ParamsType } from './stripe-params.ts'
import type { StripeServer } from './stripe-server.ts'
import { type Intent, type Params, StripeRefusal } from './stripe-things.ts'

interface Asked {
  server: StripeServer
  /** The account that the request is about: of the key, or the one that `Stripe-Account` names. */
  account: StripeAccount
  params: Params
  /** The ids in the path. */
  ids: string[]
}

interface Route {
  /** The permission that a restricted key needs, as Stripe's errors name it. */
  needs: string
  params: ParamsType
  answer(asked: Asked): object
}

/** The requests that the stand-in knows, by method and path with `*` for an id. */
const ROUTES: Readonly<Record<string, Route>> = {
  'POST /v1/checkout/sessions': {
    needs: 'rak_checkout_session_write',
    params: 'Checkout/Sessions SessionCreateParams',
    answer: ({ account, params }) => account.bank.createSession(params),
  },
  'GET /v1/checkout/sessions/*': {
    needs: 'rak_checkout_session_read',
    params: 'Checkout/Sessions SessionRetrieveParams',
    answer: ({ account, params, ids }) => expandedSession(account, ids[0]!, params),
  },
  'POST /v1/checkout/sessions/*/expire': {
    needs: 'rak_checkout_session_write',
    params: 'Checkout/Sessions SessionExpireParams',
    answer: ({ account, ids }) => account.bank.expireSession(ids[0]!),
  },
  'POST /v1/payment_intents': {
    needs: 'rak_payment_intent_write',
    params: 'PaymentIntents PaymentIntentCreateParams',
    answer: ({ account, params }) => withCard(account.bank.createIntent(params), params, 'payment_method'),
  },
  'GET /v1/payment_intents': {
    needs: 'rak_payment_intent_read',
    params: 'PaymentIntents PaymentIntentListParams',
    answer: ({ account, params }) =>
      listOf(
        [...account.bank.intents.values()]
          .filter((one) => one.customer === params.customer)
          .map((one) => withCard(one, params, 'data.payment_method')),
      ),
  },
  'GET /v1/payment_intents/*': {
    needs: 'rak_payment_intent_read',
    params: 'PaymentIntents PaymentIntentRetrieveParams',
    answer: ({ account, params, ids }) => withCard(account.bank.intent(ids[0]!), params, 'payment_method'),
  },
  'POST /v1/payment_intents/*/cancel': {
    needs: 'rak_payment_intent_write',
    params: 'PaymentIntents PaymentIntentCancelParams',
    answer: ({ account, ids }) => account.bank.cancelIntent(ids[0]!),
  },
  'GET /v1/setup_intents/*': {
    needs: 'rak_setup_intent_read',
    params: 'SetupIntents SetupIntentRetrieveParams',
    answer: ({ account, ids }) => account.bank.intent(ids[0]!),
  },
  'GET /v1/payment_methods/*': {
    needs: 'rak_payment_method_read',
    params: 'PaymentMethods PaymentMethodRetrieveParams',
    answer({ ids }) {
      throw missing('PaymentMethod', ids[0]!)
    },
  },
  'POST /v1/refunds': {
    needs: 'rak_charge_write',
    params: 'Refunds RefundCreateParams',
    answer: ({ account, params }) => account.bank.createRefund(params),
  },
  'GET /v1/refunds': {
    needs: 'rak_charge_read',
    params: 'Refunds RefundListParams',
    answer: ({ account, params }) =>
      listOf([...account.bank.refunds.values()].filter((one) => one.payment_intent === params.payment_intent)),
  },
  'GET /v1/refunds/*': {
    needs: 'rak_charge_read',
    params: 'Refunds RefundRetrieveParams',
    answer: ({ account, ids }) => account.bank.refund(ids[0]!),
  },
  'GET /v1/disputes/*': {
    needs: 'rak_dispute_read',
    params: 'Disputes DisputeRetrieveParams',
    answer: ({ account, ids }) => account.bank.disputeOf(ids[0]!),
  },
  'POST /v1/disputes/*': {
    needs: 'rak_dispute_write',
    params: 'Disputes DisputeUpdateParams',
    answer: ({ account, ids, params }) => answerDispute(account.bank, ids[0]!, params),
  },
  'POST /v1/disputes/*/close': {
    needs: 'rak_dispute_write',
    params: 'Disputes DisputeCloseParams',
    answer: ({ account, ids }) => closeDispute(account.bank, ids[0]!),
  },
  'GET /v1/account': {
    needs: 'rak_accounts_kyc_basic_read',
    params: 'Accounts AccountRetrieveCurrentParams',
    answer: ({ account }) => account.shown(),
  },
  'GET /v1/payment_method_configurations': {
    needs: 'rak_payment_method_configurations_read',
    params: 'PaymentMethodConfigurations PaymentMethodConfigurationListParams',
    answer: ({ account }) => listOf([account.shownMethods()]),
  },
  'GET /v1/webhook_endpoints': {
    needs: 'rak_webhook_read',
    params: 'WebhookEndpoints WebhookEndpointListParams',
    answer: ({ account }) => listOf([...account.endpoints.values()].map(({ secret: _, ...shown }) => shown)),
  },
  'POST /v1/webhook_endpoints': {
    needs: 'rak_webhook_write',
    params: 'WebhookEndpoints WebhookEndpointCreateParams',
    answer: ({ account, params }) => account.makeEndpoint(params),
  },
  'DELETE /v1/webhook_endpoints/*': {
    needs: 'rak_webhook_write',
    params: 'WebhookEndpoints WebhookEndpointDeleteParams',
    answer: ({ account, ids: [id] }) => {
      if (!account.endpoints.delete(id!)) throw missing('webhook endpoint', id!)
      return { id, object: 'webhook_endpoint', deleted: true }
    },
  },
  'POST /v2/core/accounts': {
    needs: 'v2_account_write',
    params: 'V2/Core/Accounts AccountCreateParams',
    answer: ({ server, account, params }) => server.connectAccount(account, params).shownInVersion2(),
  },
  'POST /v2/core/account_links': {
    needs: 'v2_account_link_write',
    params: 'V2/Core/AccountLinks AccountLinkCreateParams',
    answer: ({ server, account, params }) => server.linkTo(account, params),
  },
}

/** Returns the route of a request and the ids in its path. */
export function routeOf(method: string, path: string): { route: Route; ids: string[] } {
  const parts = path.split('/')
  const ids = parts.filter((part) => ID.test(part))
  const pattern = `${method} ${parts.map((part) => (ID.test(part) ? '*' : part)).join('/')}`
  const route = ROUTES[pattern]
  if (!route) throw new StripeRefusal(404, `Unrecognized request URL (${method}: ${path}).`)
  return { route, ids }
}

const ID = /^(cs|pi|seti|pm|re|du|we|acct|cus)_/

function missing(kind: string, id: string): StripeRefusal {
  return new StripeRefusal(404, `No such ${kind}: '${id}'`, { code: 'resource_missing', param: 'id' })
}

/** This service always requests sessions with expanded intents. */
function expandedSession({ bank }: StripeAccount, id: string, params: Params): object {
  const session = bank.session(id)
  const whole = (kind: 'payment_intent' | 'setup_intent') => {
    const intent = session[kind]
    return intent === null ? null : withCard(bank.intent(intent), params, `${kind}.payment_method`)
  }
  return { ...session, payment_intent: whole('payment_intent'), setup_intent: whole('setup_intent') }
}

/** Returns an intent, with its card expanded if requested. */
function withCard(intent: Intent, { expand = {} }: Params, name: string): object {
  if (intent.payment_method === null || !Object.values(expand).includes(name)) return intent
  const card = { brand: 'mastercard', last4: '4444' }
  return { ...intent, payment_method: { id: intent.payment_method, object: 'payment_method', type: 'card', card } }
}

function listOf(data: object[]): object {
  return { object: 'list', data, has_more: false }
}
