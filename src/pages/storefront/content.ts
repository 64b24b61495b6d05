import { html } from 'hono/html'
import type { Row } from '../../contract/declarations/noun.ts'
import type { Context } from '../../records/context.ts'
import { findRows } from '../../records/records.ts'
import { type Contents, contentOf, type Lesson } from '../../resources/content/experience/content.ts'
import type { Experience } from '../../resources/content/experience/experience.ts'
import { File } from '../../resources/content/file/file.ts'
import { counted } from '../../words/counts.ts'
import { formatUtcMoment } from '../../words/moments.ts'
import { bytesInWords } from '../../words/sizes.ts'
import type { Page } from '../parts/document.ts'
import { prose } from './prose.ts'

type ExperienceRow = Row<typeof Experience>
/** Where those who see the page open a file that is kept here. */
type AddressOf = (file: Row<typeof File>) => string | null

/** What an experience holds, for those who have access to it. */
export async function contentPart(context: Context, experience: ExperienceRow, addressOf: AddressOf): Promise<Page> {
  const of = <Type extends keyof Contents>(type: Type) => contentOf(experience, type)
  switch (experience.item_type) {
    case 'course':
      return html`${of('course').chapters.map(({ title, lessons }) => html`<h2>${title}</h2>${lessons.map(lesson)}`)}`
    case 'download':
      return downloads(context, of('download').files, addressOf)
    case 'written_content':
      return html`<h2>${of('written_content').title}</h2>${prose(of('written_content').body_html)}`
    case 'embed':
      return entries([link('Open', of('embed').url)])
    case 'link':
      return entries(of('link').links.map(({ title, url }) => link(title, url)))
    case 'event':
      return entries(of('event').sessions.map(session))
    case 'discord':
      return html`<p>You are invited to the Discord server <strong>${of('discord').server_name}</strong>.</p>`
    case 'telegram':
      return entries(of('telegram').chats.map(({ title }) => html`Telegram chat ${title}`))
    case 'forum':
      return html`<p>Chat with the other members here.</p>`
  }
}

function lesson({ title, content_html, video_url, duration_seconds }: Lesson): Page {
  const minutes = duration_seconds
    ? html` <span class="optional">${counted(Math.ceil(duration_seconds / 60), 'minute')}</span>`
    : ''
  return html`<details class="lesson"><summary>${title}${minutes}</summary>
${video_url ? html`<p>${link('Watch the video', video_url)}</p>` : ''}${content_html ? prose(content_html) : ''}</details>`
}

async function downloads(context: Context, ids: string[], addressOf: AddressOf): Promise<Page> {
  const found = await findRows(context, File, ids)
  const files = ids.flatMap((id) => found.get(id) ?? [])
  return entries(
    files.map((file) => {
      const hint = file.size === null ? '' : html`<span class="hint">${bytesInWords(file.size)}</span>`
      const name = file.title ?? file.filename ?? 'File'
      const url = file.store === null ? file.url : addressOf(file)
      return html`${link(name, url ?? '')}${hint}`
    }),
  )
}

function session({ title, url, starts_at, ends_at }: Contents['event']['sessions'][number]): Page {
  return html`${link(title, url)}<span class="hint">${formatUtcMoment(starts_at)} to ${formatUtcMoment(ends_at)}</span>`
}

function entries(items: (Page | string)[]): Page {
  return html`<ul class="entries">${items.map((item) => html`<li>${item}</li>`)}</ul>`
}

/** Nothing but web addresses is linked to. */
function link(words: string, url: string): Page {
  return /^https?:\/\//i.test(url) ? html`<a href="${url}" rel="noreferrer">${words}</a>` : html`${words}`
}
