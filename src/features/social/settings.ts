import { z } from 'zod'
import { appSecret, httpUrl, matching } from '../../settings/forms.ts'

/** The settings of the operator's apps at social networks, and URLs of networks. */
export const SOCIAL_SETTINGS = {
  PLC_DIRECTORY_URL: [
    httpUrl.optional(),
    'Directory of identities for Bluesky, for private networks and tests; `https://plc.directory` by default',
  ],
  X_CLIENT_ID: [
    appSecret.optional(),
    'OAuth 2.0 client id of the app at X; its redirect URI is `PUBLIC_URL/social/callback/x`. Without it, live accounts cannot connect X',
  ],
  X_CLIENT_SECRET: [appSecret.optional(), 'OAuth 2.0 client secret of the app at X'],
  LINKEDIN_CLIENT_ID: [
    appSecret.optional(),
    'Client id of the app at LinkedIn; its redirect URL is `PUBLIC_URL/social/callback/linkedin`. Without it, live accounts cannot connect LinkedIn',
  ],
  LINKEDIN_CLIENT_SECRET: [appSecret.optional(), 'Primary client secret of the app at LinkedIn'],
  LINKEDIN_VERSION: [
    matching(/^20\d{4}$/, 'it needs a month such as 202607').optional(),
    'Version of LinkedIn’s API to ask for, when it no longer takes the one that this service was made with',
  ],
  META_APP_ID: [
    appSecret.optional(),
    'App id of the app at Meta with Facebook Login; its redirect URIs are `PUBLIC_URL/social/callback/facebook` and `PUBLIC_URL/social/callback/instagram`. Without it, live accounts cannot connect Facebook pages and Instagram',
  ],
  META_APP_SECRET: [appSecret.optional(), 'App secret of the app at Meta'],
  THREADS_APP_ID: [
    appSecret.optional(),
    'Threads app id of the app at Meta; its redirect URI is `PUBLIC_URL/social/callback/threads`. Without it, live accounts cannot connect Threads',
  ],
  THREADS_APP_SECRET: [appSecret.optional(), 'Threads app secret of the app at Meta'],
  GOOGLE_CLIENT_ID: [
    appSecret.optional(),
    'Client id of the app at Google for YouTube; its redirect URI is `PUBLIC_URL/social/callback/youtube`. Without it, live accounts cannot connect YouTube',
  ],
  GOOGLE_CLIENT_SECRET: [appSecret.optional(), 'Client secret of the app at Google'],
  TIKTOK_CLIENT_KEY: [
    appSecret.optional(),
    'Client key of the app at TikTok; its redirect URI is `PUBLIC_URL/social/callback/tiktok`. Without it, live accounts cannot connect TikTok',
  ],
  TIKTOK_CLIENT_SECRET: [appSecret.optional(), 'Client secret of the app at TikTok'],
  TIKTOK_AUDITED: [
    z.enum(['true', 'false'], { error: 'it needs true or false' }).optional(),
    '`true` once TikTok has audited the app; until then every post is private, as TikTok asks',
  ],
  PINTEREST_APP_ID: [
    appSecret.optional(),
    'Id of the app at Pinterest; its redirect URI is `PUBLIC_URL/social/callback/pinterest`. Without it, live accounts cannot connect Pinterest',
  ],
  PINTEREST_APP_SECRET: [appSecret.optional(), 'Secret key of the app at Pinterest'],
} as const

type SettingName = keyof typeof SOCIAL_SETTINGS

const APPS: readonly [id: SettingName, secret: SettingName, network: string][] = [
  ['X_CLIENT_ID', 'X_CLIENT_SECRET', 'X'],
  ['LINKEDIN_CLIENT_ID', 'LINKEDIN_CLIENT_SECRET', 'LinkedIn'],
  ['META_APP_ID', 'META_APP_SECRET', 'Meta'],
  ['THREADS_APP_ID', 'THREADS_APP_SECRET', 'Threads'],
  ['GOOGLE_CLIENT_ID', 'GOOGLE_CLIENT_SECRET', 'Google'],
  ['TIKTOK_CLIENT_KEY', 'TIKTOK_CLIENT_SECRET', 'TikTok'],
  ['PINTEREST_APP_ID', 'PINTEREST_APP_SECRET', 'Pinterest'],
]

/** Settings that need another setting, with the needed setting and its purpose. */
export const SOCIAL_PAIRS = APPS.flatMap(
  ([id, secret, network]): [name: SettingName, needed: SettingName, what: string][] => [
    [id, secret, 'to trade codes for access'],
    [secret, id, `to name the app at ${network}`],
  ],
)
