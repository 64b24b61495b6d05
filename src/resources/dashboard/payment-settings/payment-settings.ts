import { z } from 'zod'
import { flag, oneOf, structure, text, texts } from '../../../contract/declarations/kinds.ts'
import { answerNoun } from '../../../contract/declarations/noun.ts'

const Connected = z.object({
  id: z.string(),
  provider_title: z.string(),
  name: z.string().describe('Name of the account at the provider'),
  live: z.boolean().describe('Whether it takes real money'),
  status: z.enum(['onboarding', 'current', 'replaced', 'removed']),
  key_hint: z.string().nullable().describe('Last four characters of the key'),
  takes_payments: z.boolean(),
  methods: z.array(z.string()).describe('What buyers can pay with'),
  payouts: z.string().nullable().describe('When the provider pays out; null where the key may not read it'),
  missing: z.array(z.string()).describe('Steps to do before it takes real money'),
  refused_reason: z.string().nullable().describe('Why the provider no longer takes the key'),
  subscriptions: z.int().describe('Subscriptions that are charged by it'),
  refunds: z.int().describe('Refunds that are not settled'),
  disputes: z.int().describe('Disputed orders'),
  payments: z.int().describe('Payments under way'),
})
export type Connected = z.infer<typeof Connected>

const Connectable = z.object({
  provider: z.string(),
  title: z.string(),
  permissions: z.array(z.string()).describe('What a restricted key has to be allowed'),
  key_url: z.string().describe('Page of the provider where a key is made'),
  makes_accounts: z.boolean().describe('Whether the service makes an account there for whoever has none'),
})

export const PaymentSettings = answerNoun('payment_settings', {
  group: 'Account',
  area: 'settings',
  description: 'How the account takes payments.',
  fields: {
    taken_by: oneOf(
      ['connection', 'service', 'test', 'nobody'],
      'connection: the account’s own; service: the keys of the service, whose money is the operator’s; test: test cards; nobody: cards cannot be taken',
    ),
    provider_title: text('What people call the provider', { example: 'Test cards' }),
    takes_real_money: flag('Whether buyers pay with real money', false),
    reason: text('Explanation in one sentence', { example: 'This is a test account, so its payments are never real.' }),
    missing: texts('Steps to do before real payments can be taken', { example: [] }),
    connections: structure('array', z.array(Connected), 'Own connections, those of the past included', []),
    connectable: structure('array', z.array(Connectable), 'Providers that can be connected', []),
    notices_from: text('Provider that posts to notices_url', { example: null }).nullable('none does'),
    notices_url: text('URL that the provider of the service posts its notices to', { example: null }).nullable(
      'none does',
    ),
  },
})

export const PaymentOnboarding = answerNoun('payment_onboarding', {
  group: 'Account',
  area: 'settings',
  description: 'The way to an account at the payment provider.',
  fields: { url: text('Page of the provider; it opens once, for a few minutes', { example: 'https://pay.example' }) },
})

export const CONNECTING = {
  provider: text('Provider to connect; the only one by default', { max: 40, example: 'test' }).optional(),
  key: text('Secret or restricted key of the account at the provider; tested at once, stored encrypted, never shown', {
    max: 300,
    pattern: /^[!-~]+$/,
    says: 'must be visible ASCII characters without spaces',
    example: 'rk_live_…',
  })
    .secret()
    .required(),
}
