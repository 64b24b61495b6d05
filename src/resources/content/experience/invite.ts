/** Where each service takes people who were invited. */
const INVITES = {
  discord: /^https:\/\/(?:discord\.gg\/(?:invite\/)?|(?:www\.)?discord(?:app)?\.com\/invite\/)[\w-]{2,100}\/?$/i,
  telegram: /^https:\/\/(?:t|telegram)\.me\/(?:\+|joinchat\/)?[\w-]{3,100}\/?$/i,
} as const

export const INVITE_PROBLEMS = {
  discord: 'must be an invite link of Discord, such as https://discord.gg/abcdef',
  telegram: 'must be an invite link of Telegram, such as https://t.me/+abcdef',
} as const

/** Whether an address is an invite link of the service, and leads nowhere else. */
export function isInvite(service: keyof typeof INVITES, url: string): boolean {
  return INVITES[service].test(url)
}
