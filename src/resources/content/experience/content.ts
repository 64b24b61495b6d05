import { sql } from 'kysely'
import { containing } from '../../../records/containing.ts'
import type { Context } from '../../../records/context.ts'
import { rowsOf } from '../../../records/rows-of.ts'
import type { ExperienceRow } from './experience.ts'

export interface Lesson {
  id: string
  title: string
  position: number
  content_html?: string | null
  video_url?: string | null
  duration_seconds?: number | null
}

/** The types of content by item_type. */
export interface Contents {
  course: { chapters: { id: string; title: string; position: number; lessons: Lesson[] }[] }
  download: { files: string[] }
  written_content: { title: string; body_html: string }
  embed: { url: string }
  link: { links: { title: string; url: string }[] }
  discord: { server_name: string; role_names: string[]; invite_url?: string | null }
  telegram: { chats: { title: string; invite_url?: string | null }[] }
  event: { sessions: { starts_at: string; ends_at: string; title: string; url: string }[] }
  forum: { layout: 'feed' | 'list' | 'card'; topics: unknown[] }
}

/** Removes the texts of lessons, because they may be too long for lists. */
export function withoutLessonTexts(experience: ExperienceRow): ExperienceRow {
  if (experience.item_type !== 'course') return experience
  const { chapters } = contentOf(experience, 'course')
  const short = chapters.map((chapter) => ({
    ...chapter,
    lessons: chapter.lessons.map(({ content_html: _, ...lesson }) => lesson),
  }))
  return { ...experience, content: { ...experience.content, chapters: short } }
}

/** Returns the content of an experience, typed by its item_type. Does not validate it. */
export function contentOf<Type extends keyof Contents>({ content }: ExperienceRow, _type: Type): Contents[Type] {
  return content as object as Contents[Type]
}

/** Returns the products whose prices include each experience. */
export async function deriveExperiences(rows: ExperienceRow[], context: Context): Promise<{ products: string[] }[]> {
  const ids = rows.map(({ id }) => id)
  const prices = await rowsOf(context, 'price_variants')
    .select(['product', 'experiences'])
    // The condition repeats that of the partial index, which leaves out prices without experiences.
    .where(sql<boolean>`experiences <> '[]'`)
    .where(({ or }) => or(ids.map((id) => containing('experiences', `"${id}"`))))
    .orderBy('product')
    .execute()
  return ids.map((id) => {
    const including = prices.filter(({ experiences }) => experiences.includes(`"${id}"`))
    return { products: [...new Set(including.map(({ product }) => product))] }
  })
}
