import { domainToASCII } from 'node:url'
import type { SendMailOptions } from 'nodemailer'
import type { Message } from './provider.ts'

/** Converts a message for nodemailer, which encodes names and international domains. The same message always gives the same bytes. */
export function composed({
  id,
  from,
  to,
  replyTo,
  subject,
  text,
  html,
  stopUrl = null,
  date,
}: Message): SendMailOptions {
  const domain = domainToASCII(from.address.slice(from.address.lastIndexOf('@') + 1))
  return {
    messageId: `<${id}@${domain}>`,
    date: new Date(date),
    from: { name: oneLine(from.name), address: from.address },
    to: { name: '', address: to },
    ...(replyTo !== null && { replyTo: { name: '', address: replyTo } }),
    subject,
    ...(text !== null && { text }),
    ...(html !== null && { html }),
    // Suppresses automatic replies such as “out of office” (RFC 3834).
    headers: {
      'Auto-Submitted': 'auto-generated',
      ...(stopUrl !== null && {
        'List-Unsubscribe': `<${stopUrl}>`,
        'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
      }),
    },
    baseBoundary: id,
    xMailer: false,
    disableFileAccess: true,
    disableUrlAccess: true,
  }
}

/** Removes line breaks and control characters, because a shop's name is free text that becomes a header. */
function oneLine(name: string): string {
  return name.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').trim()
}
