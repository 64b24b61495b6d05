import { ApiError } from '../../../contract/declarations/errors.ts'
import type { Manageable } from '../kit/catalogue.ts'
import type { At, DashboardContext, DashboardPage } from '../kit/visit.ts'
import { bulk } from './bulk.ts'
import { listAsCsv } from './csv.ts'
import { detailPage } from './detail.ts'
import { formPage } from './form-page.ts'
import { act, actionPage, create, createPage, deletePage, edit, editPage, remove } from './forms.ts'
import { listPage, listVersion } from './list.ts'
import { backToList, changeView, saveView } from './saved-views.ts'

/** Large enough for the longest rich text, if each character takes nine bytes: three bytes of UTF-8, percent-encoded. */
const RICH_FORM_BYTES = 2 * 1024 * 1024

/** The pages derived from declarations. Hand-made pages with the same path take precedence. */
export const DERIVED: DashboardPage[] = [
  formPage({
    path: '/:things/new',
    show: when((things) => things.create, createPage),
    take: when((things) => things.create, create),
    formBytes: RICH_FORM_BYTES,
  }),
  { path: '/:things{[a-z0-9_]+\\.csv}', get: csv },
  { path: '/:things', get: when(({ list }) => list, listPage) },
  { path: '/:things/latest', get: when(({ list }) => list, listVersion) },
  {
    path: '/:things/bulk',
    get: when(({ list }) => list, backToList),
    post: when(({ list, retrieve }) => list && retrieve, bulk),
  },
  { path: '/:things/views', get: when(({ list }) => list, backToList), post: when(({ list }) => list, saveView) },
  { path: '/:things/views/:id', get: when(({ list }) => list, backToList), post: when(({ list }) => list, changeView) },
  { path: '/:things/:id', get: when(({ retrieve }) => retrieve, detailPage) },
  formPage({
    path: '/:things/:id/edit',
    show: when(isEdited, editPage),
    take: when(isEdited, edit),
    formBytes: RICH_FORM_BYTES,
  }),
  formPage({ path: '/:things/:id/delete', show: when(isDeleted, deletePage), take: when(isDeleted, remove) }),
  formPage({ path: '/:things/:id/:action', show: when(hasAction, actionPage), take: when(hasAction, act) }),
]

function isEdited({ update, retrieve }: Manageable): boolean {
  return update !== null && retrieve !== null
}

function isDeleted({ remove, retrieve }: Manageable): boolean {
  return remove !== null && retrieve !== null
}

function hasAction({ actions, retrieve }: Manageable, { action }: At): boolean {
  return retrieve !== null && actions.has(action!)
}

/** Runs the page if its resource has the page's operation; otherwise throws `resource_missing`. */
function when<Given extends unknown[], Answer>(
  has: (things: Manageable, at: At) => unknown,
  show: (visit: DashboardContext, things: Manageable, at: At, ...given: Given) => Promise<Answer>,
) {
  return async (visit: DashboardContext, at: At, ...given: Given): Promise<Answer> => {
    const things = visit.catalogue.at(at.things!)
    if (!things || !has(things, at)) throw new ApiError('resource_missing', 'Page not found.')
    return show(visit, things, at, ...given)
  }
}

function csv(visit: DashboardContext, at: At): Promise<Response> {
  const path = at.things!.slice(0, -'.csv'.length)
  return when(
    ({ list }) => list,
    (_, things) => listAsCsv(visit, things),
  )(visit, { ...at, things: path })
}
