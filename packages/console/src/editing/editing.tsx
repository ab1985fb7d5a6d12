import { useSignal } from '@preact/signals'
import { useRef } from 'preact/hooks'
import type { ServiceError } from '../../../client/src/index.ts'
import { useActions } from '../actions.ts'
import { useSiteRead } from '../calls.ts'
import { asServiceError } from '../client.ts'
import { maySend, useSite } from '../current.ts'
import type { MarkupProblems } from '../editor/problems.ts'
import { HelpButton, MarkupEditor } from '../parts/editor.tsx'
import { Button, Radios } from '../parts/fields.tsx'
import { useSaveKey } from '../parts/keys.ts'
import { Later } from '../parts/later.tsx'
import { Time } from '../parts/list.tsx'
import { ErrorNotice, Notice } from '../parts/notice.tsx'
import { Panel } from '../parts/page.tsx'
import { useRemembered } from '../remembered.ts'
import { inSite, linkTo, parameter, replaceQuery } from '../router.ts'
import { count, size } from '../text.ts'
import { type EditedFrame, useFrame } from './edited-frame.ts'
import { draftsOf, isKept, withLineFeeds } from './frame-changes.ts'
import { chosenPage, type PagesToShow, PreviewPanel, usePagesToShow } from './preview-panel.tsx'
import { type Position, ProblemList, problemsOf, WouldChange } from './preview-report.tsx'
import { SaveDialog } from './save-dialog.tsx'
import { otherSide, type Previewed, usePreview } from './use-preview.ts'

type EditingProps = {
  readonly edited: EditedFrame
  /** What is stored of the frame is read again. */
  readonly onStored: () => void
}

/** The editor of a frame beside its preview, and what follows from it: save, conflict, undo. */
export function Editing({ edited, onStored }: EditingProps) {
  const frame = useFrame(edited)
  const { ref, slug, text, base, theirs, isDeleted, isChanged, change } = frame
  const isSaving = useSignal(false)
  const failure = useSignal<ServiceError | undefined>(undefined)
  const isMerging = useSignal(theirs !== undefined)
  const pages = usePagesToShow(edited.stored?.id)
  const shown = pages.state === 'ready' ? pages.answer : undefined
  const placed = usePlaced(shown, frame)
  const preview = usePreview(placed.before, placed.after)
  const maySave = maySend('frames')
  const merge = () => (isMerging.value = true)
  const save = theirs ? merge : () => (isSaving.value = true)
  const drafts = draftsOf(useSite().site_id)
  const draft = drafts.find((one) => one.ref === ref)
  const others = drafts.length - (draft ? 1 : 0)
  useSaveKey(maySave && isChanged ? save : undefined)

  if (theirs && isMerging.value)
    return (
      <Later
        load={async () => (await import('./conflict.tsx')).Conflict}
        props={{
          slug,
          by: (
            <>
              by <bdi>{theirs.author}</bdi>, <Time at={theirs.updated_at_gmt} />
            </>
          ),
          base: withLineFeeds(base?.html ?? ''),
          mine: text,
          theirs: withLineFeeds(theirs.html),
          onMerged: frame.takeMerged,
          onLater: () => (isMerging.value = false),
        }}
      />
    )
  return (
    <>
      {failure.value && <ErrorNotice error={failure.value} />}
      {pages.state === 'failed' && <ErrorNotice error={pages.error} />}
      {theirs && (
        <Notice tone="warn" title="Somebody has changed this frame since you began">
          <p>Your text is kept. Before you can save, both changes are merged.</p>
          <div class="row">
            <Button label="Compare and merge" onClick={merge} />
          </div>
        </Notice>
      )}
      {isDeleted && isChanged && (
        <Notice tone="warn" title={`There is no frame ${slug} any more`}>
          <p>It was deleted or renamed since you began. If you save, it is created again.</p>
        </Notice>
      )}
      {draft && !isKept(draft) && (
        <Notice tone="warn" title="A reload would lose this text">
          <p>
            The storage of this tab is full, or the text ({size(draft.html.length)}) is too large
            for it. Save it, or copy it elsewhere, before you leave this page.
          </p>
        </Notice>
      )}
      {others > 0 && (
        <p class="hint">
          <a href={linkTo(inSite('/changes'))}>{count(others, 'other frame')} with unsaved text</a>
        </p>
      )}
      <Bench {...{ frame, shown, placed, preview }} onSave={maySave && save} />
      {isChanged && preview.latest && (
        <Panel title="What storing it would change">
          <WouldChange preview={preview.latest} />
        </Panel>
      )}
      {isSaving.value && (
        <SaveDialog
          changes={[change]}
          preview={preview.current}
          {...(base ? {} : { backTo: inSite() })}
          onStored={(saved) => {
            frame.saved(saved)
            onStored()
          }}
          onConflict={() => {
            failure.value = undefined
            frame.readTheirs().then(merge, (caught) => (failure.value = asServiceError(caught)))
          }}
          onClose={() => (isSaving.value = false)}
        />
      )}
    </>
  )
}

type Frame = ReturnType<typeof useFrame>

/** Where a frame that no page shows is shown instead. */
type Place = 'alone' | 'within'

type Placed = {
  readonly before: Previewed | undefined
  readonly after: Previewed | undefined
  /** Undefined if it is at its own place. */
  readonly place: Place | undefined
}

/** Where the content of a page begins: what is put there is seen at once. */
const startOfContent = (html: string): RegExp =>
  [/<main\b[^>]*>/i, /<body\b[^>]*>/i].find((tag) => tag.test(html)) ?? /^/

/** What the preview shows: a frame that pages show is on these pages; another one is alone, or at the beginning of a page that has a frame of its own. */
function usePlaced(
  shown: PagesToShow | undefined,
  { slug, text, base, change, isChanged }: Frame,
): Placed {
  const page = shown && chosenPage(shown)
  const isWhole = /<html\b/i.test(text)
  const wanted = parameter('as') || (isWhole ? 'alone' : 'within')
  const isWithin = page?.own !== undefined && wanted !== 'alone'
  const place = shown?.areOthers ? (isWithin ? 'within' : 'alone') : undefined
  const ref = place === 'within' ? page?.own : undefined
  const { answer } = useSiteRead('getFrame', ref === undefined ? undefined : { ref })
  const own = answer?.frame
  if (!page || (place === 'within' && !own)) return { before: undefined, after: undefined, place }
  const insert = `<!-- svc/frame {"name":"${slug}"} /-->\n`
  const carrier = own &&
    place === 'within' && {
      slug: own.slug,
      html: own.html.replace(startOfContent(own.html), (start) => `${start}${insert}`),
    }
  const shownOn = (isThere: boolean): Omit<Previewed, 'frames'> => ({
    page: page.id,
    stored: base?.etag ?? '',
    assign: isThere && place === 'alone' ? slug : undefined,
    carrier: isThere && carrier ? carrier.slug : undefined,
  })
  const isThere = base !== undefined
  const mine = isChanged ? [{ slug, html: change.html }] : []
  return {
    place,
    before: { ...shownOn(isThere), frames: isThere && carrier ? [carrier] : [] },
    // There is no empty frame.
    after:
      text.trim() === ''
        ? undefined
        : { ...shownOn(true), frames: [...mine, ...(carrier ? [carrier] : [])] },
  }
}

const PANES = [
  ['markup', 'Markup'],
  ['preview', 'Page'],
] as const
const PLACES = [
  ['alone', 'Alone'],
  ['within', 'Within the page'],
] as const

type BenchProps = {
  readonly frame: Frame
  readonly shown: PagesToShow | undefined
  readonly placed: Placed
  readonly preview: ReturnType<typeof usePreview>
  readonly onSave: (() => void) | false
}

/** The bar, the editor, the preview beside it, and the problems below them. Nothing of it moves while somebody types. */
function Bench({ frame, shown, placed: { place }, preview, onSave }: BenchProps) {
  const { slug, text, base, isChanged, edit, discard } = frame
  const [wrap, setWrap] = useRemembered('wrap', 'no')
  const [split, setSplit] = useRemembered('split', '50')
  const isFull = useSignal(false)
  /** In a narrow window only one of them is shown. */
  const pane = useSignal<(typeof PANES)[number][0]>('markup')
  const position = useSignal<Position | undefined>(undefined)
  const markup = useSignal<MarkupProblems>({ found: [], failure: undefined })
  const list = useRef<HTMLElement>(null)
  const isWrapped = wrap === 'yes'
  const own = shown && chosenPage(shown)?.own
  const wrapLines = () => setWrap(isWrapped ? 'no' : 'yes')
  const fillScreen = () => (isFull.value = !isFull.value)
  useActions([
    ...(onSave && isChanged ? [{ label: 'Save', run: onSave }] : []),
    ...(isChanged ? [{ label: 'Discard the changes', run: discard }] : []),
    { label: 'Wrap long lines', run: wrapLines },
    { label: 'Full screen', run: fillScreen },
    { label: 'Before or after the change', run: () => preview.show(otherSide(preview.side)) },
  ])
  return (
    <div class={`bench${isFull.value ? ' full' : ''}`}>
      <div class="bench-bar">
        <Radios
          legend="Pane"
          className="segments narrow"
          name="pane"
          options={PANES}
          value={pane.value}
          onChange={(name) => (pane.value = name)}
        />
        {isChanged ? (
          <span class="badge warn">{base ? 'changed, not stored' : 'new, not stored'}</span>
        ) : (
          <span class="badge">as stored</span>
        )}
        <Button label="Discard" class="quiet" disabled={!isChanged} onClick={discard} />
        <span class="gap" />
        <Button label="Wrap" class="quiet" aria-pressed={isWrapped} onClick={wrapLines} />
        <Button
          label="Full screen"
          class="quiet"
          aria-pressed={isFull.value}
          onClick={fillScreen}
        />
        <HelpButton />
        {onSave && (
          <Button
            label="Save..."
            class="primary"
            title="Ctrl+S"
            disabled={!isChanged}
            onClick={onSave}
          />
        )}
      </div>
      <div class="panes" data-pane={pane.value} style={{ '--split': `${split}%` }}>
        <section class="bench-editor" aria-label="Editor">
          <MarkupEditor
            label={`Markup of ${slug}`}
            value={text}
            onInput={edit}
            onRun={preview.run}
            onProblems={(problems) => (markup.value = problems)}
            onList={() => list.current?.focus()}
            position={position.value}
            {...{ slug, isWrapped }}
          />
        </section>
        <PreviewPanel
          {...{ shown, preview }}
          empty={
            text.trim() === '' && preview.side === 'after'
              ? 'Write some markup: it is shown here.'
              : undefined
          }
        >
          {place !== undefined && own !== undefined && (
            <Radios
              legend="No page shows this frame: where it is shown"
              name="place"
              options={PLACES}
              value={place}
              onChange={(as) => replaceQuery({ as })}
            />
          )}
        </PreviewPanel>
        <input
          class="splitter"
          type="range"
          min="20"
          max="80"
          aria-label="Width of the editor, in percent"
          value={split}
          onInput={({ currentTarget }) => setSplit(currentTarget.value)}
        />
      </div>
      <ProblemList
        list={list}
        markup={markup.value}
        onPage={preview.latest ? problemsOf(preview.latest, slug) : []}
        onGo={(at) => {
          pane.value = 'markup'
          position.value = { ...at }
        }}
      />
    </div>
  )
}
