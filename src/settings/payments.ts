import { chainNodes, httpUrl, matching, percent, secret, signingKey, stripeUrl } from './forms.ts'

const signingSecrets = matching(
  /^whsec_[!-+\--~]+(,whsec_[!-+\--~]+)?$/,
  'it needs a secret that begins with whsec_, or two with a comma between them',
).optional()

/** The maximum percentage of each payment that an operator may keep. */
const MOST_FEE_PERCENT = 50

/** Settings for taking payments by card and in USDC. */
export const PAYMENT_SETTINGS = {
  STRIPE_SECRET_KEY: [
    matching(
      /^[sr]k_(test|live)_[!-~]+$/,
      'it needs a key that begins with sk_test_, sk_live_, rk_test_ or rk_live_',
    ).optional(),
    'Stripe secret key of the operator’s account',
  ],
  STRIPE_WEBHOOK_SECRET: [
    signingSecrets,
    'Signing secret of the Stripe webhook that posts to `PUBLIC_URL/payments/stripe/notices`; two, comma-separated, while a new one takes the place of an old one',
  ],
  STRIPE_CONNECT_WEBHOOK_SECRET: [
    signingSecrets,
    'Signing secret of the webhook for accounts connected by your platform at Stripe',
  ],
  STRIPE_APPLICATION_FEE_PERCENT: [
    percent(MOST_FEE_PERCENT).optional(),
    'Percent of their payments that you keep, such as `2.5`',
  ],
  OPERATOR_ACCOUNT: [
    matching(/^acct_[0-9a-z]{26}$/, 'it needs the id of an account, which begins with acct_').optional(),
    'Account whose buyers pay by `STRIPE_SECRET_KEY`; the only live one by default',
  ],
  STRIPE_API_URL: [stripeUrl.optional(), 'Address of a stand-in for Stripe on this machine, for tests'],
  X402_RPC_URLS: [
    chainNodes.optional(),
    'Nodes of the chains on which programs pay in USDC by x402, comma-separated, such as `base=https://mainnet.base.org`; without them, nobody can pay so',
  ],
  X402_FACILITATOR_URL: [
    httpUrl.optional(),
    'Facilitator of x402, version 2, that settles these payments; set it or `X402_SETTLER_KEY`',
  ],
  X402_FACILITATOR_KEY: [secret(1, 4000).optional(), 'Bearer token for a facilitator that has one for all requests'],
  X402_FACILITATOR_KEY_ID: [
    secret(1, 200).optional(),
    'Id of an API key for a facilitator that wants a token signed for each request, such as Coinbase’s at `https://api.cdp.coinbase.com/platform/v2/x402`',
  ],
  X402_FACILITATOR_KEY_SECRET: [
    signingKey.optional(),
    'Secret of that API key: an Ed25519 key in Base64, or a P-256 key as PEM, with `\\n` between its lines',
  ],
  X402_SETTLER_KEY: [
    matching(/^0x[0-9a-fA-F]{64}$/, 'it needs 0x and 64 hexadecimal digits').optional(),
    'Private key of a wallet that settles these payments and pays the chain’s fees; the money itself goes straight to the shops',
  ],
} as const

type SettingName = keyof typeof PAYMENT_SETTINGS

/** Settings that need another setting, with the needed setting and its purpose. */
export const PAYMENT_PAIRS: readonly [name: SettingName, needed: SettingName, what: string][] = [
  ['STRIPE_SECRET_KEY', 'STRIPE_WEBHOOK_SECRET', 'to check the notices of Stripe'],
  ['STRIPE_WEBHOOK_SECRET', 'STRIPE_SECRET_KEY', 'to take payments'],
  ['STRIPE_CONNECT_WEBHOOK_SECRET', 'STRIPE_SECRET_KEY', 'to connect accounts'],
  ['STRIPE_APPLICATION_FEE_PERCENT', 'STRIPE_CONNECT_WEBHOOK_SECRET', 'to connect accounts'],
  ['X402_FACILITATOR_URL', 'X402_RPC_URLS', 'to look payments up on their chain'],
  ['X402_SETTLER_KEY', 'X402_RPC_URLS', 'to settle payments on their chain'],
  ['X402_FACILITATOR_KEY', 'X402_FACILITATOR_URL', 'to which it is sent'],
  ['X402_FACILITATOR_KEY_ID', 'X402_FACILITATOR_URL', 'to which its tokens are sent'],
  ['X402_FACILITATOR_KEY_ID', 'X402_FACILITATOR_KEY_SECRET', 'to sign tokens with'],
  ['X402_FACILITATOR_KEY_SECRET', 'X402_FACILITATOR_KEY_ID', 'to name the key in its tokens'],
]
