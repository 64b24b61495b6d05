import { ApiError } from '../../../contract/declarations/errors.ts'
import type { Manageable } from '../kit/catalogue.ts'
import type { At, DashboardPage, Visit } from '../kit/visit.ts'
import { bulk } from './bulk.ts'
import { listAsCsv } from './csv.ts'
import { detailPage } from './detail.ts'
import { formPage } from './form-page.ts'
import { act, actionPage, create, createPage, deletePage, edit, editPage, remove } from './forms.ts'
import { listPage, listVersion } from './list.ts'
import { backToList, changeView, saveView } from './saved-views.ts'

/** The longest rich text, each of whose characters a form may write as nine. */
const RICH_FORM_BYTES = 2 * 1024 * 1024

type Has = (things: Manageable, at: At) => unknown

/** The pages that follow from declarations. Those made by hand come before them. */
export const DERIVED: DashboardPage[] = [
  formPage({
    path: '/:things/new',
    show: when(
      ({ create }) => create,
      (visit, things, _, refused) => createPage(visit, things, refused),
    ),
    take: when(
      ({ create }) => create,
      (visit, things, _, form) => create(visit, things, form),
    ),
    formBytes: RICH_FORM_BYTES,
  }),
  { path: '/:things{[a-z0-9_]+\\.csv}', get: csv },
  {
    path: '/:things',
    get: when(
      ({ list }) => list,
      (visit, things) => {
        const view = visit.catalogue.viewOf(things.noun.name)
        return listPage(visit, things, { view, links: view?.listLinks?.(visit) })
      },
    ),
  },
  { path: '/:things/latest', get: when(({ list }) => list, listVersion) },
  {
    path: '/:things/bulk',
    get: when(({ list }) => list, backToList),
    post: when(
      ({ list, retrieve }) => list && retrieve,
      (visit, things, _, form) => bulk(visit, things, form),
    ),
  },
  {
    path: '/:things/views',
    get: when(({ list }) => list, backToList),
    post: when(
      ({ list }) => list,
      (visit, things, _, form) => saveView(visit, things, form),
    ),
  },
  {
    path: '/:things/views/:id',
    get: when(({ list }) => list, backToList),
    post: when(
      ({ list }) => list,
      (visit, things, { id }, form) => changeView(visit, things, id!, form),
    ),
  },
  {
    path: '/:things/:id',
    get: when(
      ({ retrieve }) => retrieve,
      (visit, things, { id }) => detailPage(visit, things, id!, { view: visit.catalogue.viewOf(things.noun.name) }),
    ),
  },
  formPage({
    path: '/:things/:id/edit',
    show: when(isEdited, (visit, things, { id }, refused) => editPage(visit, things, id!, refused)),
    take: when(isEdited, (visit, things, { id }, form) => edit(visit, things, id!, form)),
    formBytes: RICH_FORM_BYTES,
  }),
  formPage({
    path: '/:things/:id/delete',
    show: when(isDeleted, (visit, things, { id }, refused) => deletePage(visit, things, id!, refused)),
    take: when(isDeleted, (visit, things, { id }, form) => remove(visit, things, id!, form)),
  }),
  formPage({
    path: '/:things/:id/:action',
    show: when(hasAction, (visit, things, { id, action }, refused) => actionPage(visit, things, id!, action!, refused)),
    take: when(hasAction, (visit, things, { id, action }, form) => act(visit, things, id!, action!, form)),
  }),
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

/** The page, where the things of its address have what it is about. Throws `resource_missing`. */
function when<Given extends unknown[], Answer>(
  has: Has,
  show: (visit: Visit, things: Manageable, at: At, ...given: Given) => Promise<Answer>,
) {
  return async (visit: Visit, at: At, ...given: Given): Promise<Answer> => {
    const things = visit.catalogue.at(at.things!)
    if (!things || !has(things, at)) throw new ApiError('resource_missing', 'Page not found.')
    return show(visit, things, at, ...given)
  }
}

function csv(visit: Visit, at: At): Promise<Response> {
  const path = at.things!.slice(0, -'.csv'.length)
  return when(
    ({ list }) => list,
    (_, things) => listAsCsv(visit, things),
  )(visit, { ...at, things: path })
}
