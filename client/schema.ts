/**
 * The endpoints and their shapes. Written by `npm run client` from the OpenAPI document: do not edit.
 * A test fails if the file is not up to date.
 */
export interface paths {
    "/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read whose token this is, and what it is limited to */
        get: operations["getMe"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/network/drift": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Compare sites with the description that was last applied to them
         * @description Each site of the page is compared now. A site to which several descriptions were applied has a result for each.
         */
        get: operations["listDrift"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/network/history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List what was written to all sites, and which tokens were issued and revoked */
        get: operations["listNetworkHistory"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/network/history/{entry}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read one entry of the history of any site, with its states and their difference */
        get: operations["getNetworkHistoryEntry"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/network/plans": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Plan what sites lack of a description
         * @description The sites are compared in the background; nothing is written to them. Read the plan until its state is `planned`.
         */
        post: operations["createPlan"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/network/plans/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A plan with its sites and their steps */
        get: operations["getPlan"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/network/plans/{id}/apply": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Apply a plan
         * @description The sites are changed in the background, each in one transaction. A site that has changed since it was planned is refused. A plan is applied once: repeating the request starts nothing.
         */
        post: operations["applyPlan"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/network/plans/{id}/rollback": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Take an applied plan back
         * @description What it has written is restored to the state before, in the background and as `POST /site/<id>/restore` does. Sites get the state `rolled_back`.
         */
        post: operations["rollBackPlan"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/network/sites": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List all sites of the network with the state of their work, by id
         * @description In any state, also deleted sites.
         */
        get: operations["listNetworkSites"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/network/tokens": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List all tokens with their limits and their last use */
        get: operations["listTokens"];
        put?: never;
        /** Issue a token; the only response that contains it */
        post: operations["issueToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/network/tokens/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Revoke a token immediately and permanently */
        delete: operations["revokeToken"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/site/{site_id}/batch": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Write several frames, menus and assignments at once, all or nothing
         * @description At most 200 requests, each as it would be sent alone; later ones see what earlier ones have written. They run in one transaction, with the rights, the scope and the conditions of each, and are built once. If one fails, nothing is written: the response is its error, with `request` naming it. All entries of the history have the id of the batch, so that `POST /restore` with `request_id` takes it back. `If-Match` and `If-None-Match` belong in `headers` of a request, `dry_run` beside `requests`.
         */
        post: operations["runBatch"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/site/{site_id}/changed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Report edits that were made without this service, and wait until the pages show them
         * @description For scripts and hooks that write WordPress's tables. The site is compared with what the service has seen of it last; what differs is built like a write of this API, and the response is sent when the pages show it, or when `EFFECTS_BUDGET_MS` has passed. Without a body the whole site is compared. A body names where to look, which is faster on a large site; edits elsewhere are found by the poll or the feed as usual. Commit the edits before the request.
         */
        post: operations["reportChanges"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/site/{site_id}/data/{source}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read a data source: menu.<location>, site, settings, pages, languages, dataset.<name> */
        get: operations["readData"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/site/{site_id}/description": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Describe what the site has, as a description that a plan brings back
         * @description All frames and menus, the locations of menus, the frames of pages, and the variables, at one moment. A super administrator brings the site back to it with `POST /network/plans`.
         */
        get: operations["describeSite"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/site/{site_id}/findings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Examine the site: what is inconsistent, why it matters, and how it is fixed
         * @description Runs the checks of `wp-frames doctor --site <id>`, which read all frames, menus and static copies: this may take seconds. Static copies are checked if this process writes them.
         */
        get: operations["listFindings"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/site/{site_id}/findings/fix": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Apply automatic fixes of findings
         * @description A fix is applied only if it still fixes exactly the findings that `GET /findings` has listed with its id; the others are in `missing`. So a repetition does no harm: it finds in `missing` what was applied. A fix that was not begun in time has `applied: false`; send it again. What fixes build may be finished later, see `GET /work`.
         */
        post: operations["fixFindings"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/site/{site_id}/frames": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List all frames of the site, by slug */
        get: operations["listFrames"];
        put?: never;
        /** Create a frame */
        post: operations["createFrame"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/site/{site_id}/frames/{ref}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read one frame with its markup */
        get: operations["getFrame"];
        /**
         * Replace a frame's markup
         * @description A `slug` in the body also renames the frame. Frames that embed it are built again; see `rebaked`.
         */
        put: operations["replaceFrame"];
        post?: never;
        /**
         * Delete a frame and remove it from its pages
         * @description Static copies of its pages are removed. Frames that embed it are not edited: they print nothing for it until a frame has its slug again.
         */
        delete: operations["deleteFrame"];
        options?: never;
        head?: never;
        /** Rename a frame, also in the frames that embed it */
        patch: operations["renameFrame"];
        trace?: never;
    };
    "/site/{site_id}/frames/{ref}/assign": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Assign a frame to a page, or remove it from the page */
        post: operations["assignFrame"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/site/{site_id}/frames/rebake": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Build frames again on request
         * @description At most 25 frames per call, first the frames that are not built and the frames with an unpublished page. `rebaked.skipped` names the others: call again for these.
         */
        post: operations["rebakeFrames"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/site/{site_id}/graph": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read which frames embed each other, what they show, and what a change would touch
         * @description With `frame`, the frames around it: those that it embeds and those that embed it, directly or through others, and `impact`. At most 500 nodes; `truncated` says that others were left out.
         */
        get: operations["getGraph"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/site/{site_id}/history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List what was written to the site, by whom, newest first */
        get: operations["listHistory"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/site/{site_id}/history/{entry}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read one entry of the history with its states and their difference */
        get: operations["getHistoryEntry"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/site/{site_id}/menus": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List all menus of the site with their assignments, sorted by name */
        get: operations["listMenus"];
        put?: never;
        /** Create a menu */
        post: operations["createMenu"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/site/{site_id}/menus/{ref}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read one menu with its items as they are stored, now or at a former time
         * @description With `at`, a location names the menu that is assigned there now.
         */
        get: operations["getMenu"];
        put?: never;
        post?: never;
        /** Delete a menu with its items and its assignments */
        delete: operations["deleteMenu"];
        options?: never;
        head?: never;
        /**
         * Rename a menu, or change its slug
         * @description Items and assignments do not change, and no frame is rebaked.
         */
        patch: operations["renameMenu"];
        trace?: never;
    };
    "/site/{site_id}/menus/{ref}/items": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** Replace the whole tree of a menu */
        put: operations["replaceMenuItems"];
        /** Add an item at the end of a level */
        post: operations["addMenuItem"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/site/{site_id}/menus/{ref}/items/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Delete an item with its descendants */
        delete: operations["removeMenuItem"];
        options?: never;
        head?: never;
        /**
         * Change an item, or move it
         * @description Absent fields do not change. A new `parent` moves the item with its descendants to the end of that level.
         */
        patch: operations["updateMenuItem"];
        trace?: never;
    };
    "/site/{site_id}/menus/{ref}/location": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** Assign a menu to a location */
        put: operations["assignMenuLocation"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/site/{site_id}/menus/{ref}/reorder": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Reorder the items of one level */
        post: operations["reorderMenuItems"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/site/{site_id}/pages": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the pages of the site with their frames and static copies, by id
         * @description In any status, without those in the trash and automatic drafts.
         */
        get: operations["listPages"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/site/{site_id}/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Show a page as it would be with unsaved frames, menus and data sets
         * @description Nothing is stored. At most 50 frames, menus and data sets each, written as their own requests would write them, with the same rights and errors; an error has `unsaved`, which names the thing. A preview of frames needs the right to write markup (`MARKUP_WRITERS`). Other writers of the site wait meanwhile, so it is given up after 5 seconds.
         */
        post: operations["previewPage"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/site/{site_id}/restore": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Restore one thing, what a request or a token wrote, or everything to a moment
         * @description Exactly one of `entry`, `request_id`, `token_id` (with `since`) and `at`. Everything is restored in one transaction; what cannot be restored is listed in `not_restored`. Deleted frames and menus get their ids again, items of menus where their ids are free. A restore is a write with entries of its own, so that it can be undone with its request id. `If-Match` is for `entry` only.
         */
        post: operations["restoreSite"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/site/{site_id}/work": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read which pages and frames are still to be built, and which fail
         * @description A write waits for its effects up to `EFFECTS_BUDGET_MS`. What is not finished by then is built in the background, and the write is answered with `pending`. Everything is built when `pending` has no pages and no frames here; a page or frame that fails is tried again by itself, after a longer time with each attempt.
         */
        get: operations["getWork"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sites": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the sites that the token may administer, by id
         * @description The sites of which the user of the token is an administrator, within the limits of the token. Archived sites and spam are only for super administrators, and deleted sites for nobody.
         */
        get: operations["listSites"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /** @description Several menus have the name. */
        AmbiguousMenu: {
            candidates: {
                id: number;
                name: string;
                slug: string;
            }[];
            /** @constant */
            error: "ambiguous_menu";
            /**
             * @description What happened and what to do, in English.
             * @example Several menus have the name.
             */
            message: string;
            request?: components["schemas"]["FailedRequest"];
            /** @constant */
            success: false;
            unsaved?: components["schemas"]["FailedUnsaved"];
        };
        /** @description Several pages have the slug. `candidates` lists the first 50. */
        AmbiguousPage: {
            candidates: {
                id: number;
                lang: string | null;
                path: string;
                status: string;
            }[];
            /** @constant */
            error: "ambiguous_page";
            /**
             * @description What happened and what to do, in English.
             * @example Several pages have the slug. `candidates` lists the first 50.
             */
            message: string;
            page?: string | number;
            request?: components["schemas"]["FailedRequest"];
            /** @constant */
            success: false;
            unsaved?: components["schemas"]["FailedUnsaved"];
        };
        /** @description Some items are malformed, or the menu would exceed a limit. */
        BadItems: {
            /** @constant */
            error: "bad_items";
            errors: {
                at: string;
                /** @description Only at the first item that has candidates. */
                candidates?: {
                    id: number;
                    lang: string | null;
                    path: string;
                    status: string;
                }[];
                message?: string;
                page?: string | number;
                reason: string;
                status?: string;
            }[];
            invalid?: {
                at: string;
                message: string;
                page: number | null;
                /** @enum {string} */
                reason: "page_not_published" | "parent_left_out";
                status?: string;
            }[];
            /**
             * @description What happened and what to do, in English.
             * @example Some items are malformed, or the menu would exceed a limit.
             */
            message: string;
            request?: components["schemas"]["FailedRequest"];
            /** @constant */
            success: false;
            unsaved?: components["schemas"]["FailedUnsaved"];
        };
        /** @description The item would be below itself, or too deep. */
        BadParent: {
            /** @constant */
            error: "bad_parent";
            /**
             * @description What happened and what to do, in English.
             * @example The item would be below itself, or too deep.
             */
            message: string;
            request?: components["schemas"]["FailedRequest"];
            /** @constant */
            success: false;
            unsaved?: components["schemas"]["FailedUnsaved"];
        };
        /** @description The list is not the ids of items of one level, each once. */
        BadReorder: {
            /** @constant */
            error: "bad_reorder";
            errors?: {
                at: string;
                message?: string;
                reason: string;
            }[];
            level?: number[];
            /**
             * @description What happened and what to do, in English.
             * @example The list is not the ids of items of one level, each once.
             */
            message: string;
            not_in_level?: number[];
            request?: components["schemas"]["FailedRequest"];
            /** @constant */
            success: false;
            unsaved?: components["schemas"]["FailedUnsaved"];
        };
        /** @description The build of the frame that was written. */
        Bake: {
            response: {
                /** @description False if the stored copy was already up to date. */
                baked: boolean;
                /** @example svc_frame_5158798bd2006010_baked */
                baked_option: string;
                /** @description Elements with binds. */
                bind_tags: number;
                binds: number;
                /** @description Pieces that are finished or deferred until a page is rendered. */
                blocks: number;
                /** @description Size of the finished HTML in all languages. */
                bytes: number;
                default_lang: string | null;
                frame_id: string;
                /** @description Slugs of the embedded frames. */
                frames: string[];
                inserts: number;
                /** @description Languages that have a copy; empty if the output does not depend on the language. */
                lang: string[];
                /** @description Pages of this frame. */
                pages: number[];
                /** @description Pages of this frame whose static copy now shows this write. */
                published: {
                    pages: number[];
                    published: boolean;
                };
                renders_on_request: boolean;
                /** @description Sources that a repeat iterates over. */
                repeats: string[];
                /** @description Size of the markup. */
                source_bytes: number;
                unknown_inserts: string[];
                /** @description Binds without a value or with an invalid name. */
                unresolved: {
                    /** @example title:page.subtitle */
                    bind: string;
                    column: number;
                    /** @description Slug of the frame whose markup has the bind. */
                    frame: string;
                    line: number;
                    /** @enum {string} */
                    reason: "no_value" | "unknown_name" | "not_allowed";
                }[];
                warnings: string[];
            };
            /** @constant */
            status: "ok";
        } | {
            /**
             * @description There was nothing to build.
             * @constant
             */
            status: "skipped";
        } | {
            message: string;
            /** @constant */
            status: "failed";
        } | {
            /**
             * @description `pending`: not finished within `EFFECTS_BUDGET_MS`; it goes on in the background, see `pending`.
             * @constant
             */
            status: "pending";
        };
        BatchResponse: {
            /** @description What a single request returns, without `bake`, `rebaked`, `republish`, `static` and `pending`. */
            body: {
                [key: string]: unknown;
            };
            /** @description The version that the request has stored, where a single request returns it. */
            headers: {
                ETag?: string;
            };
            /** @constant */
            status: 200;
        };
        /** @description The requests of the batch take too long. Send smaller batches. */
        BatchTooLarge: {
            /** @constant */
            error: "batch_too_large";
            /**
             * @description What happened and what to do, in English.
             * @example The requests of the batch take too long. Send smaller batches.
             */
            message: string;
            request?: components["schemas"]["FailedRequest"];
            /** @constant */
            success: false;
            unsaved?: components["schemas"]["FailedUnsaved"];
        };
        /** @description The purge of page caches. */
        Cache: {
            flushed: {
                urls: {
                    /**
                     * @description How page caches were notified.
                     * @example PURGE
                     */
                    by: string;
                    /** @description URLs that at least one page cache has not purged. */
                    skipped: string[];
                    /** @enum {string} */
                    status: "ok" | "skipped" | "failed";
                    /** @description URLs that every page cache has purged. */
                    urls: string[];
                };
            };
            /** @description Ids of the pages whose URLs were purged. */
            pages: number[];
            /** @constant */
            scope: "pages";
            /**
             * @description `skipped`: no page cache is configured, or no page is affected.
             * @enum {string}
             */
            status: "ok" | "skipped" | "failed";
        };
        /** @description The frames that are baked again, and the pages that are published again. Each list has at most 200 entries. */
        ChangeImpact: {
            /** @description The frames that are baked again, besides one that is written. */
            frames: {
                /**
                 * @description What it shows.
                 * @example [
                 *       "frame:site-header"
                 *     ]
                 */
                because: string[];
                id: string;
                slug: string;
            }[];
            /** @description All of them, also those that are not listed. */
            frames_total: number;
            pages: components["schemas"]["PageNames"][];
            /** @description All of them, also those that are not listed. */
            pages_total: number;
        };
        /** @description The database is unreachable. Retry in a few seconds. */
        DatabaseUnavailable: {
            /** @constant */
            code: "database_unavailable";
            data: {
                request?: components["schemas"]["FailedRequest"];
                /** @description Seconds, as in the header Retry-After. */
                retry_after: number;
                /** @constant */
                status: 503;
                unsaved?: components["schemas"]["FailedUnsaved"];
            };
            /**
             * @description What happened and what to do, in English.
             * @example The database is unreachable. Retry in a few seconds.
             */
            message: string;
        };
        /** @description The site has more than a plan takes, or takes too long to read. `wp-frames init` writes its description to files. */
        DescriptionTooLarge: {
            /** @constant */
            error: "description_too_large";
            /** @example 16777216 */
            max_bytes: number;
            /**
             * @description What happened and what to do, in English.
             * @example The site has more than a plan takes, or takes too long to read. `wp-frames init` writes its description to files.
             */
            message: string;
            request?: components["schemas"]["FailedRequest"];
            /** @constant */
            success: false;
            unsaved?: components["schemas"]["FailedUnsaved"];
        };
        /** @description The step that would restore a thing, and who changed it. */
        Drift: {
            /** @example replaced */
            action: string;
            /** @description Who wrote it last; null for another program. */
            by: {
                /** @description GMT. */
                at: string;
                /** @description Id of the entry in the history. */
                entry: number;
                label: string | null;
                request_id: string | null;
                token_id: number | null;
                user_id: number | null;
            } | null;
            /** @description What a repair would change. */
            diff?: string;
            /** @description The slug, menu or frame before. */
            from?: string;
            /** @enum {string} */
            kind: "frame" | "menu" | "location" | "assignment" | "dataset";
            /** @description Slug, location, path of a page, or name of a data set. */
            name: string;
            /** @description The menu or frame that a location or page gets. */
            to?: string;
        };
        DriftedSite: {
            /** @example net.test/shop */
            address: string;
            /** @description GMT. */
            applied_at: string;
            /** @description Name of the description. */
            description: string;
            /** @description Empty without drift; at most 100. */
            drift: components["schemas"]["Drift"][];
            drift_total: number;
            /** @description Id of the plan that was applied last. */
            plan: string;
            /** @description Why the site cannot get what the description says. */
            problems: {
                kind: string;
                message: string;
                name: string;
            }[];
            site_id: number;
        };
        /** @description A table of the site is not transactional (InnoDB), so it would keep what a dry run or preview writes. Nothing was written. */
        EngineNotTransactional: {
            /** @constant */
            error: "engine_not_transactional";
            /**
             * @description What happened and what to do, in English.
             * @example A table of the site is not transactional (InnoDB), so it would keep what a dry run or preview writes. Nothing was written.
             */
            message: string;
            request?: components["schemas"]["FailedRequest"];
            /** @constant */
            success: false;
            unsaved?: components["schemas"]["FailedUnsaved"];
        };
        /** @description The history has no such entry, or the thing has no state there. */
        EntryNotFound: {
            /** @constant */
            error: "entry_not_found";
            /**
             * @description What happened and what to do, in English.
             * @example The history has no such entry, or the thing has no state there.
             */
            message: string;
            request?: components["schemas"]["FailedRequest"];
            /** @constant */
            success: false;
            unsaved?: components["schemas"]["FailedUnsaved"];
        };
        /** @description The examination of the site takes too long for a request. Run `wp-frames doctor` instead. */
        ExaminationTooSlow: {
            /** @constant */
            error: "examination_too_slow";
            /**
             * @description What happened and what to do, in English.
             * @example The examination of the site takes too long for a request. Run `wp-frames doctor` instead.
             */
            message: string;
            request?: components["schemas"]["FailedRequest"];
            /** @constant */
            success: false;
            unsaved?: components["schemas"]["FailedUnsaved"];
        };
        /** @description Only in the response of a batch: the request with this error. */
        FailedRequest: {
            index: number;
            method: string;
            path: string;
        };
        /**
         * @description Only in the response of a preview: the part of the body with this error.
         * @example frames[0]
         */
        FailedUnsaved: string;
        Finding: {
            /**
             * @description The kind of problem; stable between releases.
             * @example reference_missing
             */
            check: string;
            /** @description Id of the automatic fix; null if only a person can decide. */
            fix: string | null;
            /** @description How a person fixes it. */
            fix_hint: string;
            /**
             * @description The same as long as the finding says the same.
             * @example 4f1c2d3e4b5a6978
             */
            id: string;
            /** @description Why it matters. */
            impact: string;
            /** @description What was found. */
            message: string;
            /**
             * @description `error`: visitors or clients get wrong results. `warning`: the data is inconsistent. `info`: worth knowing.
             * @enum {string}
             */
            severity: "error" | "warning" | "info";
        };
        /** @description A fix that is safe to apply automatically. */
        Fix: {
            /** @example menu_count_wrong */
            check: string;
            /** @description Number of findings that it fixes. */
            findings: number;
            /**
             * @description Changes if the fix would fix something else.
             * @example 4f1c2d3e4b5a6978
             */
            id: string;
            /** @example Corrects the count of menu 23. */
            summary: string;
        };
        /** @description A fix concerns too many findings for one request. */
        FixTooLarge: {
            /** @constant */
            error: "fix_too_large";
            findings: number;
            limit: number;
            /**
             * @description What happened and what to do, in English.
             * @example A fix concerns too many findings for one request.
             */
            message: string;
            request?: components["schemas"]["FailedRequest"];
            /** @constant */
            success: false;
            unsaved?: components["schemas"]["FailedUnsaved"];
        };
        /** @description A stored markup template. */
        Frame: {
            binds: number;
            /** @example site-header */
            block: string;
            /** @description Size of the markup in UTF-8. */
            bytes: number;
            /**
             * @description GMT.
             * @example 2026-03-01 09:30:00
             */
            created_at_gmt: string;
            element: string | null;
            /**
             * @description Slugs of the frames that the frame embeds.
             * @example [
             *       "card"
             *     ]
             */
            frame_refs: string[];
            /**
             * @description 16 hexadecimal characters, or the id that an older endpoint assigned.
             * @example 5158798bd2006010
             */
            id: string;
            /**
             * @description Number of inserts by kind.
             * @example {
             *       "op/menu": 1
             *     }
             */
            inserts: {
                [key: string]: number;
            };
            modifier: string | null;
            /** @example svc_frame_5158798bd2006010 */
            option: string;
            /**
             * @description Ids of the pages that use the frame.
             * @example [
             *       3,
             *       7
             *     ]
             */
            pages?: number[];
            /** @description Whether the frame, or a frame that it embeds, depends on the page that is rendered. */
            renders_on_request: boolean;
            sha256: string;
            /** @example site-header */
            slug: string;
            /**
             * @description Data sources that the frame reads.
             * @example [
             *       "menu.header",
             *       "site.title"
             *     ]
             */
            sources: string[];
            /**
             * @description GMT.
             * @example 2026-03-01 09:30:00
             */
            updated_at_gmt: string;
            /** @description Id of the user who wrote it last. */
            updated_by: number;
        };
        /** @description The character set of the site's tables does not support a character of the markup. */
        FrameCharsetUnsupported: {
            /** @constant */
            error: "frame_charset_unsupported";
            /**
             * @description What happened and what to do, in English.
             * @example The character set of the site's tables does not support a character of the markup.
             */
            message: string;
            request?: components["schemas"]["FailedRequest"];
            /** @constant */
            success: false;
            unsaved?: components["schemas"]["FailedUnsaved"];
        };
        FrameDetails: {
            /** @description Whether its present markup is baked. Otherwise only missing frames are known as problems. */
            built: boolean;
            /** @description Frames that embed it directly. */
            embedded_by: number;
            /** @description Frames that it embeds directly. */
            embeds: number;
            /** @description Pages that use the frame. */
            pages: number;
            /** @description What its last bake has found, at most 20. */
            problems: string[];
            problems_total: number;
        };
        /** @description The markup is missing or not a string. */
        FrameHtmlRequired: {
            /** @constant */
            error: "frame_html_required";
            /**
             * @description What happened and what to do, in English.
             * @example The markup is missing or not a string.
             */
            message: string;
            request?: components["schemas"]["FailedRequest"];
            /** @constant */
            success: false;
            unsaved?: components["schemas"]["FailedUnsaved"];
        };
        FrameImpact: {
            change: components["schemas"]["ChangeImpact"];
            /** @description What a deletion breaks: these pages lose their frame, and visitors of public ones get a 404. */
            deletion: {
                /** @description Frames that print nothing for it. */
                embedders: {
                    id: string;
                    slug: string;
                }[];
                /** @description All of them, also those that are not listed. */
                embedders_total: number;
                pages: components["schemas"]["PageNames"][];
                /** @description All of them, also those that are not listed. */
                pages_total: number;
            };
        };
        /** @description The site has no frame with this id or slug. */
        FrameNotFound: {
            /** @constant */
            error: "frame_not_found";
            /**
             * @description What happened and what to do, in English.
             * @example The site has no frame with this id or slug.
             */
            message: string;
            request?: components["schemas"]["FailedRequest"];
            /** @constant */
            success: false;
            unsaved?: components["schemas"]["FailedUnsaved"];
        };
        /** @description Several keys of one insert name different frames. */
        FrameRefConflict: {
            column: number;
            conflicts: {
                key: string;
                value: string;
            }[];
            /** @constant */
            error: "frame_ref_conflict";
            line: number;
            /**
             * @description What happened and what to do, in English.
             * @example Several keys of one insert name different frames.
             */
            message: string;
            request?: components["schemas"]["FailedRequest"];
            /** @constant */
            success: false;
            unsaved?: components["schemas"]["FailedUnsaved"];
        };
        /** @description The path names no frame. */
        FrameRefRequired: {
            /** @constant */
            error: "frame_ref_required";
            /**
             * @description What happened and what to do, in English.
             * @example The path names no frame.
             */
            message: string;
            request?: components["schemas"]["FailedRequest"];
            /** @constant */
            success: false;
            unsaved?: components["schemas"]["FailedUnsaved"];
        };
        /** @description The markup is larger than 2 MB. */
        FrameTooLarge: {
            bytes: number;
            /** @constant */
            error: "frame_too_large";
            /** @example 2097152 */
            max_bytes: number;
            /**
             * @description What happened and what to do, in English.
             * @example The markup is larger than 2 MB.
             */
            message: string;
            request?: components["schemas"]["FailedRequest"];
            /** @constant */
            success: false;
            unsaved?: components["schemas"]["FailedUnsaved"];
        };
        /** @description The stored frame is damaged or has no markup; the message says how to fix it. */
        FrameUnreadable: {
            /** @constant */
            error: "frame_unreadable";
            id?: string;
            /**
             * @description What happened and what to do, in English.
             * @example The stored frame is damaged or has no markup; the message says how to fix it.
             */
            message: string;
            offset?: number;
            option?: string;
            request?: components["schemas"]["FailedRequest"];
            /** @constant */
            success: false;
            unsaved?: components["schemas"]["FailedUnsaved"];
        };
        /** @description The body has a `url`, but frames have no URL. */
        FrameUrlNotSupported: {
            /** @constant */
            error: "frame_url_not_supported";
            /**
             * @description What happened and what to do, in English.
             * @example The body has a `url`, but frames have no URL.
             */
            message: string;
            request?: components["schemas"]["FailedRequest"];
            /** @constant */
            success: false;
            unsaved?: components["schemas"]["FailedUnsaved"];
        };
        /** @description Frame types and default frames were removed. */
        Gone: {
            /** @constant */
            error: "gone";
            /**
             * @description What happened and what to do, in English.
             * @example Frame types and default frames were removed.
             */
            message: string;
            request?: components["schemas"]["FailedRequest"];
            /** @constant */
            success: false;
            unsaved?: components["schemas"]["FailedUnsaved"];
        };
        GraphNode: {
            id: string;
            /** @example frame:5158798bd2006010 */
            key: string;
            /** @constant */
            kind: "frame";
            /** @description Number of pages that use it. */
            pages: number;
            /** @example site-header */
            slug: string;
        } | {
            /** @example frame:5158798bd2006010 */
            key: string;
            /**
             * @description A frame that is embedded, but does not exist.
             * @constant
             */
            kind: "missing";
            name: string;
        } | {
            /** @example frame:5158798bd2006010 */
            key: string;
            /** @constant */
            kind: "menu";
            /** @description Null for menus that frames name by id or slug instead. */
            location: string | null;
            /** @description The menus that visitors see there, by language. */
            menus: {
                /** @example 23 */
                id: number;
                lang: string | null;
                /** @example Main menu */
                name: string;
                /** @example main-menu */
                slug: string;
            }[];
        } | {
            /** @example frame:5158798bd2006010 */
            key: string;
            /** @constant */
            kind: "data";
            /**
             * @description A data set, or another kind of source.
             * @example dataset.news
             * @example site
             */
            source: string;
        } | {
            id: number;
            /** @example frame:5158798bd2006010 */
            key: string;
            /** @constant */
            kind: "page";
            lang: string | null;
            /**
             * @description Null if there is no page with this id.
             * @example publish
             */
            status: string | null;
            /**
             * @description As stored; HTML.
             * @example Team
             */
            title: string;
            /** @description Null if there is no page with this id. */
            url: string | null;
        };
        HistoryEntry: {
            /**
             * @description `found`: it existed before its first entry. `edited`: another program changed it; noticed before the next write. Both have no author.
             * @enum {string}
             */
            action: "created" | "replaced" | "renamed" | "deleted" | "assigned" | "cleared" | "issued" | "revoked" | "pruned" | "found" | "edited";
            /**
             * @description GMT.
             * @example 2026-03-01 09:30:00.250
             */
            at: string;
            /** @description Whether it exists after this. */
            exists: boolean;
            /** @description Covers the entry and the one before of the same thing. */
            hash: string;
            /**
             * @description Increases with time.
             * @example 1207
             */
            id: number;
            /** @enum {string} */
            kind: "frame" | "menu" | "location" | "assignment" | "dataset" | "token" | "pruning";
            /**
             * @description Label of the token; `cli` for a command.
             * @example deploy
             */
            label: string | null;
            /**
             * @description Its slug or name.
             * @example site-header
             */
            name: string;
            /**
             * @description Id of the frame, menu or token; `theme/location`, with `/language` for the map of Polylang; for an assignment the id of the page.
             * @example 4f1c2d3e4b5a6978
             */
            ref: string;
            /** @description `X-Request-Id` of the request. */
            request_id: string | null;
            /**
             * @description 0 for a token.
             * @example 2
             */
            site_id: number;
            /** @example 5 */
            token_id: number | null;
            /** @example 2 */
            user_id: number | null;
        };
        HistoryState: {
            /**
             * @description The markup or the items are no longer in the history.
             * @constant
             */
            content_pruned?: true;
            /** @description The small fields: names, dates, the menu at a location, the frame of a page. */
            fields: {
                [key: string]: unknown;
            };
            /** @description The markup of a frame. */
            html?: string;
            /** @description The items of a menu, in order. */
            items?: components["schemas"]["StoredMenuItem"][];
        };
        /** @description The `Idempotency-Key` was used for another request in the last 24 hours. */
        IdempotencyKeyReused: {
            /** @constant */
            error: "idempotency_key_reused";
            /**
             * @description What happened and what to do, in English.
             * @example The `Idempotency-Key` was used for another request in the last 24 hours.
             */
            message: string;
            request?: components["schemas"]["FailedRequest"];
            /** @constant */
            success: false;
            unsaved?: components["schemas"]["FailedUnsaved"];
        };
        /** @description The response is too large to be kept for an `Idempotency-Key`. Nothing was written. */
        IdempotentAnswerTooLarge: {
            /** @constant */
            error: "idempotent_answer_too_large";
            /** @example 262144 */
            max_bytes: number;
            /**
             * @description What happened and what to do, in English.
             * @example The response is too large to be kept for an `Idempotency-Key`. Nothing was written.
             */
            message: string;
            request?: components["schemas"]["FailedRequest"];
            /** @constant */
            success: false;
            unsaved?: components["schemas"]["FailedUnsaved"];
        };
        /** @description The caller is not an administrator of the chosen site. */
        InsufficientRole: {
            /** @constant */
            code: "insufficient_role";
            data: {
                request?: components["schemas"]["FailedRequest"];
                /** @constant */
                status: 403;
                unsaved?: components["schemas"]["FailedUnsaved"];
            };
            /**
             * @description What happened and what to do, in English.
             * @example The caller is not an administrator of the chosen site.
             */
            message: string;
        };
        /** @description The scope of the token does not include this endpoint. */
        InsufficientScope: {
            /** @constant */
            code: "insufficient_scope";
            data: {
                request?: components["schemas"]["FailedRequest"];
                required: string;
                scope: string;
                /** @constant */
                status: 403;
                unsaved?: components["schemas"]["FailedUnsaved"];
            };
            /**
             * @description What happened and what to do, in English.
             * @example The scope of the token does not include this endpoint.
             */
            message: string;
        };
        /** @description Unexpected server error; the log has the details under the request id. */
        InternalError: {
            /** @constant */
            code: "internal_error";
            data: {
                request?: components["schemas"]["FailedRequest"];
                request_id: string;
                /** @constant */
                status: 500;
                unsaved?: components["schemas"]["FailedUnsaved"];
            };
            /**
             * @description What happened and what to do, in English.
             * @example Unexpected server error; the log has the details under the request id.
             */
            message: string;
        };
        /** @description The executor did not respond. The write is stored, and is built as soon as an executor runs. Only `POST /frames/rebake` must be sent again. */
        InternalUnavailable: {
            /** @constant */
            error: "internal_unavailable";
            /**
             * @description What happened and what to do, in English.
             * @example The executor did not respond. The write is stored, and is built as soon as an executor runs. Only `POST /frames/rebake` must be sent again.
             */
            message: string;
            request?: components["schemas"]["FailedRequest"];
            /** @constant */
            success: false;
            unsaved?: components["schemas"]["FailedUnsaved"];
        };
        InvalidItem: {
            /**
             * @description Position in the sent tree: `1.0` is the first child of the second item.
             * @example 1.0
             */
            at: string;
            message: string;
            page: number | null;
            /** @enum {string} */
            reason: "page_not_published" | "parent_left_out";
            /**
             * @description Status of the page.
             * @example draft
             */
            status?: string;
        };
        /** @description The slug does not match the pattern. */
        InvalidSlug: {
            /** @constant */
            error: "invalid_slug";
            hint: string;
            /**
             * @description What happened and what to do, in English.
             * @example The slug does not match the pattern.
             */
            message: string;
            pattern: string;
            request?: components["schemas"]["FailedRequest"];
            /** @constant */
            success: false;
            unsaved?: components["schemas"]["FailedUnsaved"];
        };
        /** @description The token is unknown, revoked, expired or incomplete. */
        InvalidToken: {
            /** @constant */
            code: "invalid_token";
            data: {
                request?: components["schemas"]["FailedRequest"];
                /** @constant */
                status: 401;
                unsaved?: components["schemas"]["FailedUnsaved"];
            };
            /**
             * @description What happened and what to do, in English.
             * @example The token is unknown, revoked, expired or incomplete.
             */
            message: string;
        };
        /** @description The menu has no such item. */
        ItemNotFound: {
            /** @constant */
            error: "item_not_found";
            id?: number;
            /**
             * @description What happened and what to do, in English.
             * @example The menu has no such item.
             */
            message: string;
            request?: components["schemas"]["FailedRequest"];
            /** @constant */
            success: false;
            unsaved?: components["schemas"]["FailedUnsaved"];
        };
        /** @description The item links neither a page nor a URL. */
        ItemTargetRequired: {
            /** @constant */
            error: "item_target_required";
            /**
             * @description What happened and what to do, in English.
             * @example The item links neither a page nor a URL.
             */
            message: string;
            request?: components["schemas"]["FailedRequest"];
            /** @constant */
            success: false;
            unsaved?: components["schemas"]["FailedUnsaved"];
        };
        /** @description The location is missing. This endpoint cannot remove a menu from a location. */
        LocationRequired: {
            /** @constant */
            error: "location_required";
            /**
             * @description What happened and what to do, in English.
             * @example The location is missing. This endpoint cannot remove a menu from a location.
             */
            message: string;
            request?: components["schemas"]["FailedRequest"];
            /** @constant */
            success: false;
            unsaved?: components["schemas"]["FailedUnsaved"];
        };
        Menu: {
            /** @example 23 */
            id: number;
            /** @example Main menu */
            name: string;
            /** @example main-menu */
            slug: string;
        };
        /** @description The database stored another value than the one that was written; the write was rolled back. */
        MenuAssignmentNotStored: {
            /** @constant */
            error: "menu_assignment_not_stored";
            /**
             * @description What happened and what to do, in English.
             * @example The database stored another value than the one that was written; the write was rolled back.
             */
            message: string;
            read_back: {
                [key: string]: unknown;
            };
            request?: components["schemas"]["FailedRequest"];
            /** @constant */
            success: false;
            unsaved?: components["schemas"]["FailedUnsaved"];
        };
        MenuItem: {
            /** @example 41 */
            id: number;
            /** @description Position in the whole tree, from 1. */
            order: number;
            /**
             * @description Id of the linked page; null for other items.
             * @example 10
             */
            page: number | null;
            /** @description Id of the parent item; 0 at the top level. */
            parent: number;
            /**
             * @description As stored: HTML, in which `&amp;` is an ampersand.
             * @example Team
             */
            title: string;
            /** @enum {string} */
            type: "post_type" | "custom" | "taxonomy" | "post_type_archive";
            /** @example http://net.test/shop/about-us/team/ */
            url: string;
            /** @description False if visitors do not see the item. */
            valid: boolean;
        };
        MenuItemChange: {
            /** @enum {string} */
            change: "added" | "removed" | "moved" | "renamed" | "relinked" | "edited";
            from?: string;
            /** @description Id of the item after the change; before it for a removed item. */
            id: number;
            /** @description Labels from the top level to the item. */
            path: string[];
            to?: string;
        };
        /** @description A menu item to be written, which links a page or an address. */
        MenuItemInput: {
            /** @description The child items. */
            children?: (components["schemas"]["MenuItemInput"] | (string | number))[];
            /** @description At most 100, separated by spaces. */
            classes?: string;
            /**
             * @description A page: its id, slug or path.
             * @example about-us/team
             */
            page?: string | number;
            /** @description `_blank`, or empty. */
            target?: string;
            /**
             * @description By default the title of the page, or the address.
             * @example Team
             */
            title?: string;
            /**
             * @description An address. A path is prefixed with the site's address, unless an item of the menu has the same path already.
             * @example https://example.com/
             */
            url?: string;
        };
        MenuItemLink: {
            message: string | null;
            /** @description Id of the linked page; null for other links. */
            page: number | null;
            /** @description `target_missing`: the linked page or term does not exist or is in the trash, so visitors do not see the item. `target_not_public`: the link leads to a page that visitors cannot read. `not_published`: the item is a draft. Null: visitors see the item, and the target that the site itself knows is public. */
            problem: ("target_missing" | "target_not_public" | "not_published") | null;
            /** @description As shown; HTML. */
            title: string;
            /** @description Empty if the target does not exist. */
            url: string;
        };
        /** @description An item links a page that is not published; `allow_invalid` leaves such items out. */
        MenuItemsInvalid: {
            /** @constant */
            error: "menu_items_invalid";
            invalid: {
                at: string;
                message: string;
                page: number | null;
                /** @enum {string} */
                reason: "page_not_published" | "parent_left_out";
                status?: string;
            }[];
            /**
             * @description What happened and what to do, in English.
             * @example An item links a page that is not published; `allow_invalid` leaves such items out.
             */
            message: string;
            request?: components["schemas"]["FailedRequest"];
            /** @constant */
            success: false;
            unsaved?: components["schemas"]["FailedUnsaved"];
        };
        /** @description An item references a page that does not exist or is ambiguous. */
        MenuItemsUnresolved: {
            /** @constant */
            error: "menu_items_unresolved";
            errors: {
                at: string;
                /** @description Only at the first item that has candidates. */
                candidates?: {
                    id: number;
                    lang: string | null;
                    path: string;
                    status: string;
                }[];
                message?: string;
                page?: string | number;
                reason: string;
                status?: string;
            }[];
            invalid?: {
                at: string;
                message: string;
                page: number | null;
                /** @enum {string} */
                reason: "page_not_published" | "parent_left_out";
                status?: string;
            }[];
            /**
             * @description What happened and what to do, in English.
             * @example An item references a page that does not exist or is ambiguous.
             */
            message: string;
            request?: components["schemas"]["FailedRequest"];
            /** @constant */
            success: false;
            unsaved?: components["schemas"]["FailedUnsaved"];
        };
        /** @description The menu has no name. */
        MenuNameRequired: {
            /** @constant */
            error: "menu_name_required";
            /**
             * @description What happened and what to do, in English.
             * @example The menu has no name.
             */
            message: string;
            request?: components["schemas"]["FailedRequest"];
            /** @constant */
            success: false;
            unsaved?: components["schemas"]["FailedUnsaved"];
        };
        /** @description No menu is assigned to the location. */
        MenuNotAssigned: {
            /** @constant */
            error: "menu_not_assigned";
            /**
             * @description What happened and what to do, in English.
             * @example No menu is assigned to the location.
             */
            message: string;
            request?: components["schemas"]["FailedRequest"];
            /** @constant */
            success: false;
            unsaved?: components["schemas"]["FailedUnsaved"];
        };
        /** @description The site has no such menu. */
        MenuNotFound: {
            /** @constant */
            error: "menu_not_found";
            /**
             * @description What happened and what to do, in English.
             * @example The site has no such menu.
             */
            message: string;
            request?: components["schemas"]["FailedRequest"];
            /** @constant */
            success: false;
            unsaved?: components["schemas"]["FailedUnsaved"];
        };
        /** @description A menu item as visitors see it. */
        MenuRow: {
            children: components["schemas"]["MenuRow"][];
            classes: string;
            id: number;
            page: number | null;
            target: string;
            /** @description As stored; HTML, so `&amp;` is an ampersand. */
            title: string;
            /** @description Kind of the linked object: `post_type`, `taxonomy`, `post_type_archive` or `custom`. */
            type: string;
            url: string;
        };
        /** @description The request has no token. */
        MissingToken: {
            /** @constant */
            code: "missing_token";
            data: {
                request?: components["schemas"]["FailedRequest"];
                /** @constant */
                status: 401;
                unsaved?: components["schemas"]["FailedUnsaved"];
            };
            /**
             * @description What happened and what to do, in English.
             * @example The request has no token.
             */
            message: string;
        };
        /** @description The body selects nothing. */
        NothingToRebake: {
            /** @constant */
            error: "nothing_to_rebake";
            /**
             * @description What happened and what to do, in English.
             * @example The body selects nothing.
             */
            message: string;
            request?: components["schemas"]["FailedRequest"];
            /** @constant */
            success: false;
            unsaved?: components["schemas"]["FailedUnsaved"];
        };
        /** @description The body has no field to change. */
        NothingToUpdate: {
            /** @constant */
            error: "nothing_to_update";
            /**
             * @description What happened and what to do, in English.
             * @example The body has no field to change.
             */
            message: string;
            request?: components["schemas"]["FailedRequest"];
            /** @constant */
            success: false;
            unsaved?: components["schemas"]["FailedUnsaved"];
        };
        Page: {
            frame: {
                id: string;
                /** @description Null if the frame does not exist. */
                slug: string | null;
            } | null;
            /** @example 12 */
            id: number;
            /** @example en */
            lang: string | null;
            /**
             * @description Its slugs from the top page down.
             * @example about-us/team
             */
            path: string;
            /** @description Protected with a password. */
            protected: boolean;
            /** @description The static copy of the page. */
            static: {
                /** @description Why the last attempt failed. */
                error: string | null;
                /**
                 * @description `pending`: it is to be written or removed; `failing`: the last attempt to do so failed.
                 * @enum {string}
                 */
                state: "written" | "pending" | "failing" | "none";
                /** @description Where the copy is; null if there is none. */
                url: string | null;
            };
            /** @example publish */
            status: string;
            /**
             * @description As stored; HTML.
             * @example Team
             */
            title: string;
            /**
             * @description Ids of pages by language.
             * @example {
             *       "en": 12,
             *       "fr": 15
             *     }
             */
            translations: {
                [key: string]: number;
            };
            /** @example http://net.test/shop/about-us/team/ */
            url: string;
        };
        /** @description The page to preview has no frame, or its frame was deleted. Name one in `assign`. */
        PageHasNoFrame: {
            /** @constant */
            error: "page_has_no_frame";
            /**
             * @description What happened and what to do, in English.
             * @example The page to preview has no frame, or its frame was deleted. Name one in `assign`.
             */
            message: string;
            request?: components["schemas"]["FailedRequest"];
            /** @constant */
            success: false;
            unsaved?: components["schemas"]["FailedUnsaved"];
        };
        PageNames: {
            id: number;
            lang: string | null;
            /**
             * @description Null if there is no page with this id.
             * @example publish
             */
            status: string | null;
            /**
             * @description As stored; HTML.
             * @example Team
             */
            title: string;
            /** @description Null if there is no page with this id. */
            url: string | null;
        };
        /** @description The site has no such page. */
        PageNotFound: {
            /** @constant */
            error: "page_not_found";
            /**
             * @description What happened and what to do, in English.
             * @example The site has no such page.
             */
            message: string;
            page?: string | number;
            request?: components["schemas"]["FailedRequest"];
            /** @constant */
            success: false;
            unsaved?: components["schemas"]["FailedUnsaved"];
        };
        /** @description The page is missing. */
        PageRequired: {
            /** @constant */
            error: "page_required";
            /**
             * @description What happened and what to do, in English.
             * @example The page is missing.
             */
            message: string;
            request?: components["schemas"]["FailedRequest"];
            /** @constant */
            success: false;
            unsaved?: components["schemas"]["FailedUnsaved"];
        };
        /** @description Only if the budget for effects ended before everything was built. The write is stored, and the rest is built in the background. */
        Pending: {
            /** @description Frames and other things of the site that were touched, such as menus. */
            frames: number;
            /** @description Pages of the site that are known to be published or removed. */
            pages: number;
            /**
             * @description The address that reports the remaining work.
             * @example /site/2/work
             */
            read_work_at: string;
        };
        PlacedMenuItem: {
            /**
             * @description Position in the sent tree: `1.0` is the first child of the second item.
             * @example 1.0
             */
            at: string;
            /** @example 41 */
            id: number;
            /** @description Position in the whole tree, from 1. */
            order: number;
            /**
             * @description Id of the linked page; null for other items.
             * @example 10
             */
            page: number | null;
            /** @description Id of the parent item; 0 at the top level. */
            parent: number;
            /**
             * @description As stored: HTML, in which `&amp;` is an ampersand.
             * @example Team
             */
            title: string;
            /** @enum {string} */
            type: "post_type" | "custom" | "taxonomy" | "post_type_archive";
            /** @example http://net.test/shop/about-us/team/ */
            url: string;
            /** @description False if visitors do not see the item. */
            valid: boolean;
        };
        /** @description What sites lack of a description, and what became of it. */
        Plan: {
            /**
             * @description GMT.
             * @example 2026-03-01 09:30:00.000
             */
            created_at: string;
            /** @description Also the request id of its writes in the history. */
            id: string;
            /** @description Why it failed as a whole. */
            message: string | null;
            /** @description Name of the description. */
            name: string;
            /**
             * @description Sites by state.
             * @example {
             *       "planned": 998,
             *       "blocked": 2
             *     }
             */
            sites: {
                [key: string]: number;
            };
            /**
             * @description `planning`, `applying`, `rolling_back`: work goes on in the background.
             * @enum {string}
             */
            state: "planning" | "planned" | "applying" | "rolling_back" | "started" | "done" | "failed";
        };
        /** @description The write would do something else than when it was planned. Nothing was written. */
        PlanChanged: {
            diffs: components["schemas"]["WrittenThing"][];
            /** @constant */
            error: "plan_changed";
            /**
             * @description What happened and what to do, in English.
             * @example The write would do something else than when it was planned. Nothing was written.
             */
            message: string;
            plan?: string;
            request?: components["schemas"]["FailedRequest"];
            /** @constant */
            success: false;
            unsaved?: components["schemas"]["FailedUnsaved"];
        };
        /** @description The plan of one site. */
        PlannedSite: {
            applied_at: string | null;
            /** @description Why the site was blocked, refused, skipped or failed; one line for each reason. */
            message: string | null;
            /** @description Pages that would be published. */
            pages: number;
            site_id: number;
            /** @enum {string} */
            state: "waiting" | "planned" | "applied" | "refused" | "blocked" | "failed" | "skipped" | "rolled_back";
            steps: components["schemas"]["PlanStep"][];
            steps_total: number;
        };
        /** @description There is no plan with this id. */
        PlanNotFound: {
            /** @constant */
            error: "plan_not_found";
            /**
             * @description What happened and what to do, in English.
             * @example There is no plan with this id.
             */
            message: string;
            request?: components["schemas"]["FailedRequest"];
            /** @constant */
            success: false;
            unsaved?: components["schemas"]["FailedUnsaved"];
        };
        /** @description The plan is not in a state in which this is possible: it is still planned or applied, or was not applied. */
        PlanNotReady: {
            /** @constant */
            error: "plan_not_ready";
            /**
             * @description What happened and what to do, in English.
             * @example The plan is not in a state in which this is possible: it is still planned or applied, or was not applied.
             */
            message: string;
            request?: components["schemas"]["FailedRequest"];
            /** @constant */
            success: false;
            unsaved?: components["schemas"]["FailedUnsaved"];
        };
        /** @description One change of one thing. */
        PlanStep: {
            /** @example replaced */
            action: string;
            /** @description The slug, menu or frame before. */
            from?: string;
            /** @enum {string} */
            kind: "frame" | "menu" | "location" | "assignment" | "dataset";
            /** @description Slug, location, path of a page, or name of a data set. */
            name: string;
            /** @description The menu or frame that a location or page gets. */
            to?: string;
        };
        /** @description The request names a language, but the site has none. */
        PolylangInactive: {
            /** @constant */
            error: "polylang_inactive";
            /**
             * @description What happened and what to do, in English.
             * @example The request names a language, but the site has none.
             */
            message: string;
            request?: components["schemas"]["FailedRequest"];
            /** @constant */
            success: false;
            unsaved?: components["schemas"]["FailedUnsaved"];
        };
        /** @description The current version does not satisfy If-Match or If-None-Match. */
        PreconditionFailed: {
            /** @constant */
            error: "precondition_failed";
            /**
             * @description The current version; missing if the frame or menu does not exist.
             * @example "Yh3Qw0bXrV1c2Zk9LmNpSa"
             */
            etag?: string;
            /**
             * @description What happened and what to do, in English.
             * @example The current version does not satisfy If-Match or If-None-Match.
             */
            message: string;
            request?: components["schemas"]["FailedRequest"];
            /** @constant */
            success: false;
            unsaved?: components["schemas"]["FailedUnsaved"];
            /** @example 2026-03-01 09:30:00 */
            updated_at_gmt?: string | null;
            /** @description Id of the user who changed it last. */
            updated_by?: number | null;
        };
        /** @description The preview takes too long, or waits too long for another writer of the site. Preview fewer things at once. */
        PreviewTooSlow: {
            /** @constant */
            error: "preview_too_slow";
            /**
             * @description What happened and what to do, in English.
             * @example The preview takes too long, or waits too long for another writer of the site. Preview fewer things at once.
             */
            message: string;
            request?: components["schemas"]["FailedRequest"];
            /** @constant */
            success: false;
            unsaved?: components["schemas"]["FailedUnsaved"];
        };
        Readiness: {
            /**
             * @example {
             *       "database": "up",
             *       "static": "up"
             *     }
             */
            parts: {
                [key: string]: "up" | "down";
            };
            /** @enum {string} */
            status: "ready" | "unready" | "stopping";
        };
        /** @description The frames that show what was written and were built again. */
        Rebaked: {
            baked: number;
            cache: components["schemas"]["Cache"];
            failed: number;
            frames: {
                /** @enum {string} */
                bake: "baked" | "not_needed" | "failed";
                /**
                 * @description What it reads that has changed.
                 * @example [
                 *       "menus"
                 *     ]
                 */
                because: string[];
                detail: string;
                id: string;
                slug: string;
            }[];
            /** @description Why no frame could be built. */
            message?: string;
            not_needed: number;
            /** @description Slugs of the frames that are left for another call of POST /frames/rebake. */
            skipped?: string[];
            /**
             * @description `pending`: not finished within `EFFECTS_BUDGET_MS`; it goes on in the background, see `pending`.
             * @enum {string}
             */
            status: "ok" | "skipped" | "failed" | "pending";
            /** @description Frames that were checked. */
            total: number;
        };
        /** @description A new slug, and its replacement in the frames that embed the frame. */
        Renamed: {
            details: {
                id: string;
                replaced: number;
                slug: string;
            }[];
            /** @description Slugs of the embedding frames in which the slug was replaced. */
            frames_updated: string[];
            from: string;
            to: string;
        };
        /** @description The update of the static copies of all affected pages. */
        Republish: {
            cache?: components["schemas"]["Cache"];
            message?: string;
            /**
             * @description `failed`: the static copy of at least one page could not be updated. The write itself is stored. `pending`: not finished within `EFFECTS_BUDGET_MS`; it goes on in the background, see `pending`.
             * @enum {string}
             */
            status: "ok" | "skipped" | "failed" | "unavailable" | "pending";
        };
        /** @description The body exceeds the size limit of the endpoint, 150000 values, or 1000 members in one object. */
        RestBodyTooLarge: {
            /** @constant */
            code: "rest_body_too_large";
            data: {
                request?: components["schemas"]["FailedRequest"];
                /** @constant */
                status: 413;
                unsaved?: components["schemas"]["FailedUnsaved"];
            };
            /**
             * @description What happened and what to do, in English.
             * @example The body exceeds the size limit of the endpoint, 150000 values, or 1000 members in one object.
             */
            message: string;
        };
        /** @description The body is not valid JSON. */
        RestInvalidJson: {
            /** @constant */
            code: "rest_invalid_json";
            data: {
                request?: components["schemas"]["FailedRequest"];
                /** @constant */
                status: 400;
                unsaved?: components["schemas"]["FailedUnsaved"];
            };
            /**
             * @description What happened and what to do, in English.
             * @example The body is not valid JSON.
             */
            message: string;
        };
        /** @description A parameter is invalid. */
        RestInvalidParam: {
            /** @constant */
            code: "rest_invalid_param";
            data: {
                /**
                 * @description The invalid parameters, and what each one takes.
                 * @example {
                 *       "bake": "must be true or false"
                 *     }
                 */
                params: {
                    [key: string]: string;
                };
                request?: components["schemas"]["FailedRequest"];
                /** @constant */
                status: 400;
                unsaved?: components["schemas"]["FailedUnsaved"];
            };
            /**
             * @description What happened and what to do, in English.
             * @example A parameter is invalid.
             */
            message: string;
        };
        /** @description No endpoint has this method and path, or the path is malformed. */
        RestNoRoute: {
            /** @constant */
            code: "rest_no_route";
            data: {
                request?: components["schemas"]["FailedRequest"];
                /** @constant */
                status: 404;
                unsaved?: components["schemas"]["FailedUnsaved"];
            };
            /**
             * @description What happened and what to do, in English.
             * @example No endpoint has this method and path, or the path is malformed.
             */
            message: string;
        };
        /** @description The restore concerns too many things at once. */
        RestoreTooLarge: {
            /** @constant */
            error: "restore_too_large";
            /**
             * @description What happened and what to do, in English.
             * @example The restore concerns too many things at once.
             */
            message: string;
            request?: components["schemas"]["FailedRequest"];
            /** @constant */
            success: false;
            unsaved?: components["schemas"]["FailedUnsaved"];
        };
        /** @description The body is not JSON in UTF-8, or its compression is not supported. */
        RestUnsupportedMediaType: {
            /** @constant */
            code: "rest_unsupported_media_type";
            data: {
                request?: components["schemas"]["FailedRequest"];
                /** @constant */
                status: 415;
                unsaved?: components["schemas"]["FailedUnsaved"];
            };
            /**
             * @description What happened and what to do, in English.
             * @example The body is not JSON in UTF-8, or its compression is not supported.
             */
            message: string;
        };
        /** @description The service is overloaded, by this site or in total. Retry in a few seconds. */
        ServiceBusy: {
            /** @constant */
            code: "service_busy";
            data: {
                request?: components["schemas"]["FailedRequest"];
                /** @description Seconds, as in the header Retry-After. */
                retry_after: number;
                /** @constant */
                status: 503;
                unsaved?: components["schemas"]["FailedUnsaved"];
            };
            /**
             * @description What happened and what to do, in English.
             * @example The service is overloaded, by this site or in total. Retry in a few seconds.
             */
            message: string;
        };
        /** @description The body of `POST /network/plans`. */
        SiteDescription: {
            bundles: {
                [key: string]: {
                    frames: {
                        formerly: string[];
                        html: string;
                        slug: string;
                    }[];
                    /** @description Like menu files, with locations and items. */
                    menus: ({
                        name: string;
                        slug: string;
                    } & {
                        [key: string]: unknown;
                    })[];
                    /** @description The pages with a frame. */
                    pages: {
                        frame: string | null;
                        lang?: string;
                        /** @description Empty for the front page. */
                        path: string;
                    }[];
                    /** @description The data set `variables`. */
                    variables: {
                        [key: string]: string;
                    };
                };
            };
            /**
             * @description `named`: what the description does not name is left alone.
             * @enum {string}
             */
            manages: "all" | "named";
            /** @example site-2 */
            name: string;
            sites: {
                bundles: string[];
                match: {
                    id?: number[];
                };
                variables: {
                    [key: string]: string;
                };
            }[];
            /** @constant */
            version: 1;
        };
        /** @description The site does not exist or, below `/site/{site_id}`, the caller is not one of its administrators. */
        SiteNotFound: {
            /** @constant */
            code: "site_not_found";
            data: {
                request?: components["schemas"]["FailedRequest"];
                /** @constant */
                status: 404;
                unsaved?: components["schemas"]["FailedUnsaved"];
            };
            /**
             * @description What happened and what to do, in English.
             * @example The site does not exist or, below `/site/{site_id}`, the caller is not one of its administrators.
             */
            message: string;
        };
        /** @description The markup of all frames of the site would exceed the limit `STORED_MB_PER_SITE`. */
        SiteQuotaExceeded: {
            /** @constant */
            error: "site_quota_exceeded";
            /** @example 536870912 */
            limit_bytes: number;
            /**
             * @description What happened and what to do, in English.
             * @example The markup of all frames of the site would exceed the limit `STORED_MB_PER_SITE`.
             */
            message: string;
            request?: components["schemas"]["FailedRequest"];
            /** @constant */
            success: false;
            unsaved?: components["schemas"]["FailedUnsaved"];
            /** @description Size before the write. */
            used_bytes: number;
            /** @description Size after the write. */
            wanted_bytes: number;
        };
        /** @description Another frame has the slug. */
        SlugTaken: {
            /** @constant */
            error: "slug_taken";
            /**
             * @description Id of the frame that has the slug.
             * @example 5158798bd2006010
             */
            id: string;
            /**
             * @description What happened and what to do, in English.
             * @example Another frame has the slug.
             */
            message: string;
            request?: components["schemas"]["FailedRequest"];
            /** @constant */
            success: false;
            unsaved?: components["schemas"]["FailedUnsaved"];
        };
        /** @description The state of a page's static copy. */
        StaticCopy: {
            bytes: number;
            changed: boolean;
            message: string;
            /** @description Whether a copy is on disk now, of this write or of an older one. */
            published: boolean;
            /** @description Why there is no copy, or why the copy does not show this write: `failed`, `later_build`. */
            reason: ("no_frame" | "frame_missing" | "page_not_public" | "plain_permalinks" | "disabled" | "failed" | "later_build" | "quota") | null;
            removed: boolean;
            /** @description URL of the copy that is on disk. */
            url: string | null;
            was_published: boolean;
            was_url: string | null;
        };
        /** @description An item of a menu as it is stored. */
        StoredMenuItem: {
            attr_title: string;
            description: string;
            id: number;
            /** @example page */
            object: string;
            /** @description Id of the linked page or term. */
            object_id: number;
            order: number;
            /** @description Id of the parent item; 0 at the top level. */
            parent: number;
            /** @example publish */
            status: string;
            target: string;
            /** @description Empty if the item shows the title of what it links. */
            title: string;
            /** @example post_type */
            type: string;
            /** @description Only of a custom link. */
            url: string;
        };
        /** @description A token without its secret, which is not stored. */
        Token: {
            created_at: string;
            /**
             * @description GMT.
             * @example 2026-03-01 09:30:00
             */
            expires_at: string | null;
            /** @description Authenticated requests that failed otherwise. */
            failed: number;
            id: number;
            label: string;
            /**
             * @description GMT.
             * @example 2026-03-01 09:30:00
             */
            last_used_at: string | null;
            /** @description Authenticated requests that were refused for lack of rights. */
            refused: number;
            /**
             * @description GMT.
             * @example 2026-03-01 09:30:00
             */
            revoked_at: string | null;
            /**
             * @description What the token may do at most. It never widens what its user may do.
             * @example frames
             * @enum {string}
             */
            scope: "read" | "frames" | "menus" | "all";
            /**
             * @description The only sites that exist for the token; null for all.
             * @example [
             *       2,
             *       5
             *     ]
             */
            sites: number[] | null;
            user_id: number;
        };
        /** @description There is no token with this id. */
        TokenNotFound: {
            /** @constant */
            error: "token_not_found";
            /**
             * @description What happened and what to do, in English.
             * @example There is no token with this id.
             */
            message: string;
            request?: components["schemas"]["FailedRequest"];
            /** @constant */
            success: false;
            unsaved?: components["schemas"]["FailedUnsaved"];
        };
        /** @description Too many requests without a valid token came from this address within a minute. */
        TooManyAuthFailures: {
            /** @constant */
            code: "too_many_auth_failures";
            data: {
                request?: components["schemas"]["FailedRequest"];
                /** @description Seconds, as in the header Retry-After. */
                retry_after: number;
                /** @constant */
                status: 429;
                unsaved?: components["schemas"]["FailedUnsaved"];
            };
            /**
             * @description What happened and what to do, in English.
             * @example Too many requests without a valid token came from this address within a minute.
             */
            message: string;
        };
        /** @description The token, or without a valid token the address, has exceeded the limit of requests per minute. */
        TooManyRequests: {
            /** @constant */
            code: "too_many_requests";
            data: {
                request?: components["schemas"]["FailedRequest"];
                /** @description Seconds, as in the header Retry-After. */
                retry_after: number;
                /** @constant */
                status: 429;
                unsaved?: components["schemas"]["FailedUnsaved"];
            };
            /**
             * @description What happened and what to do, in English.
             * @example The token, or without a valid token the address, has exceeded the limit of requests per minute.
             */
            message: string;
        };
        /** @description Only super administrators may write markup (`MARKUP_WRITERS`), and the caller is not one. */
        UnfilteredHtmlRequired: {
            /** @constant */
            error: "unfiltered_html_required";
            /**
             * @description What happened and what to do, in English.
             * @example Only super administrators may write markup (`MARKUP_WRITERS`), and the caller is not one.
             */
            message: string;
            request?: components["schemas"]["FailedRequest"];
            /** @constant */
            success: false;
            unsaved?: components["schemas"]["FailedUnsaved"];
        };
        /** @description The site has no such language. */
        UnknownLanguage: {
            /** @constant */
            error: "unknown_language";
            /**
             * @example [
             *       "en",
             *       "fr"
             *     ]
             */
            languages: string[];
            /**
             * @description What happened and what to do, in English.
             * @example The site has no such language.
             */
            message: string;
            request?: components["schemas"]["FailedRequest"];
            /** @constant */
            success: false;
            unsaved?: components["schemas"]["FailedUnsaved"];
        };
        /** @description The location does not exist. */
        UnknownLocation: {
            /** @constant */
            error: "unknown_location";
            /**
             * @example [
             *       "header",
             *       "footer_1"
             *     ]
             */
            locations: string[];
            /**
             * @description What happened and what to do, in English.
             * @example The location does not exist.
             */
            message: string;
            request?: components["schemas"]["FailedRequest"];
            /** @constant */
            success: false;
            unsaved?: components["schemas"]["FailedUnsaved"];
        };
        /** @description The data source does not exist. */
        UnknownSource: {
            /** @constant */
            error: "unknown_source";
            /**
             * @description What happened and what to do, in English.
             * @example The data source does not exist.
             */
            message: string;
            request?: components["schemas"]["FailedRequest"];
            /** @constant */
            success: false;
            unsaved?: components["schemas"]["FailedUnsaved"];
        };
        /** @description No user who may log in has this login. */
        UserNotFound: {
            /** @constant */
            error: "user_not_found";
            /**
             * @description What happened and what to do, in English.
             * @example No user who may log in has this login.
             */
            message: string;
            request?: components["schemas"]["FailedRequest"];
            /** @constant */
            success: false;
            unsaved?: components["schemas"]["FailedUnsaved"];
        };
        /** @description What a write does to one thing. */
        WrittenThing: {
            /** @enum {string} */
            action: "created" | "replaced" | "renamed" | "deleted" | "assigned" | "cleared" | "issued" | "revoked" | "pruned" | "found" | "edited";
            /** @description A unified diff of markup; for other things one line for each change. */
            diff: string;
            /** @description The changes of the items of a menu. */
            items?: components["schemas"]["MenuItemChange"][];
            /** @enum {string} */
            kind: "frame" | "menu" | "location" | "assignment" | "dataset" | "token" | "pruning";
            name: string;
            /** @description Id of the thing. A dry run gives new things an id that is not kept. */
            ref: string;
            /**
             * @description Something of the difference was left out, because it is too large.
             * @constant
             */
            shortened?: true;
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: {
        /**
         * @description Version of the response of a read, or of the frame or menu that a write has stored. Send it in `If-Match` with the next write.
         * @example "Yh3Qw0bXrV1c2Zk9LmNpSa"
         */
        ETag: string;
        /** @description Only in the answer to an earlier request with the same `Idempotency-Key`. */
        "Idempotency-Replayed": "true";
        /**
         * @description Id of that earlier request in the log and in the history, with `Idempotency-Replayed`.
         * @example 7b1e9a52-0c3d-4a55-b1b4-8a6f6a0e2d11
         */
        "Idempotency-Request-Id": string;
        /**
         * @description Remaining requests and seconds until the limit is reset, in the form of the draft standard.
         * @example "default";r=119;t=60
         */
        RateLimit: string;
        /**
         * @description Limit of requests per minute, in the form of the draft standard.
         * @example "default";q=120;w=60
         */
        "RateLimit-Policy": string;
        /**
         * @description Seconds to wait before a retry.
         * @example 42
         */
        "Retry-After": number;
        /**
         * @description Time that the parts of the request took, in milliseconds.
         * @example auth;dur=1.2, work;dur=4.4, total;dur=6.1
         */
        "Server-Timing": string;
        /**
         * @description Remaining requests in this minute.
         * @example 119
         */
        "X-RateLimit-Remaining": number;
        /**
         * @description Id of this request in the log.
         * @example 1c0f7d0a-6a43-4a9e-9df1-2f6a4f5e1b7c
         */
        "X-Request-Id": string;
        /** @description The selector by which the site was chosen, in the legacy addressing. */
        "X-Svc-Blog-Source": "blog_id" | "header" | "domain" | "default";
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    getMe: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETag of an earlier response; `304` means that the response is unchanged. */
                "If-None-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Whether it may be used for `/network`. */
                        may_manage_network: boolean;
                        /** @constant */
                        success: true;
                        token: {
                            /**
                             * @description GMT; null if it does not expire.
                             * @example 2026-03-01 09:30:00
                             */
                            expires_at: string | null;
                            id: number;
                            /** @example deploy */
                            label: string;
                            /**
                             * @description What it may do at most.
                             * @enum {string}
                             */
                            scope: "read" | "frames" | "menus" | "all";
                            /** @description The only sites it may be used for; null: all. */
                            sites: number[] | null;
                        };
                        user: {
                            /** @example 2 */
                            id: number;
                            /** @example alice */
                            login: string;
                        };
                    };
                };
            };
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RestInvalidParam"] | components["schemas"]["RestInvalidJson"];
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MissingToken"] | components["schemas"]["InvalidToken"];
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InsufficientScope"];
                };
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SiteNotFound"] | components["schemas"]["RestNoRoute"];
                };
            };
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RestBodyTooLarge"];
                };
            };
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RestUnsupportedMediaType"];
                };
            };
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TooManyRequests"] | components["schemas"]["TooManyAuthFailures"];
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InternalError"];
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DatabaseUnavailable"] | components["schemas"]["ServiceBusy"];
                };
            };
        };
    };
    listDrift: {
        parameters: {
            query?: {
                /** @description `next` of the page before. */
                after?: number;
                /** @description Sites on a page, at most 20; by default 10. */
                limit?: number;
                /** @description Only of this description. */
                name?: string;
            };
            header?: {
                /** @description ETag of an earlier response; `304` means that the response is unchanged. */
                "If-None-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Descriptions and sites that could not be compared. */
                        failures: {
                            description: string;
                            message: string;
                        }[];
                        /** @description `after` of the next page; null on the last one. */
                        next: number | null;
                        /** @description In the order of the ids of sites. */
                        results: components["schemas"]["DriftedSite"][];
                        /** @constant */
                        success: true;
                        /** @description Sites to which a description was applied, on all pages. */
                        total: number;
                    };
                };
            };
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RestInvalidParam"] | components["schemas"]["RestInvalidJson"];
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MissingToken"] | components["schemas"]["InvalidToken"];
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InsufficientRole"] | components["schemas"]["InsufficientScope"];
                };
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SiteNotFound"] | components["schemas"]["RestNoRoute"];
                };
            };
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RestBodyTooLarge"];
                };
            };
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RestUnsupportedMediaType"];
                };
            };
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TooManyRequests"] | components["schemas"]["TooManyAuthFailures"];
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InternalError"];
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DatabaseUnavailable"] | components["schemas"]["ServiceBusy"];
                };
            };
        };
    };
    listNetworkHistory: {
        parameters: {
            query?: {
                /** @description Only entries with this action. */
                action?: "created" | "replaced" | "renamed" | "deleted" | "assigned" | "cleared" | "issued" | "revoked" | "pruned" | "found" | "edited";
                /** @description `next_cursor` of the page before. */
                cursor?: number;
                /** @description Only entries of this kind. */
                kind?: "frame" | "menu" | "location" | "assignment" | "dataset" | "token" | "pruning";
                /** @description Entries on a page, at most 500; by default 50. */
                limit?: number;
                /** @description Only entries of the thing with this id, or with this name at the time. */
                ref?: string;
                /** @description Only what the request with this id wrote. */
                request?: string;
                /** @description Only entries from this time on. */
                since?: string;
                /** @description Only what was written with the token with this id. */
                token?: number;
                /** @description Only entries up to this time. */
                until?: string;
                /** @description Only what this user wrote. */
                user?: number;
            };
            header?: {
                /** @description ETag of an earlier response; `304` means that the response is unchanged. */
                "If-None-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Newest first. */
                        entries: components["schemas"]["HistoryEntry"][];
                        /** @description `cursor` of the next page; null on the last one. */
                        next_cursor: number | null;
                        /** @constant */
                        success: true;
                    };
                };
            };
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RestInvalidParam"] | components["schemas"]["RestInvalidJson"];
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MissingToken"] | components["schemas"]["InvalidToken"];
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InsufficientRole"] | components["schemas"]["InsufficientScope"];
                };
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SiteNotFound"] | components["schemas"]["RestNoRoute"];
                };
            };
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RestBodyTooLarge"];
                };
            };
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RestUnsupportedMediaType"];
                };
            };
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TooManyRequests"] | components["schemas"]["TooManyAuthFailures"];
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InternalError"];
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DatabaseUnavailable"] | components["schemas"]["ServiceBusy"];
                };
            };
        };
    };
    getNetworkHistoryEntry: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETag of an earlier response; `304` means that the response is unchanged. */
                "If-None-Match"?: string;
            };
            path: {
                /** @description The id of an entry. */
                entry: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The state after; null if it does not exist. */
                        after: components["schemas"]["HistoryState"] | null;
                        /** @description The state before; null if it did not exist, or if the history no longer has it. */
                        before: components["schemas"]["HistoryState"] | null;
                        /** @description A unified diff of markup; for other things one line for each change. */
                        diff: string;
                        entry: components["schemas"]["HistoryEntry"];
                        /** @description The changes of the items of a menu. */
                        items?: components["schemas"]["MenuItemChange"][];
                        /**
                         * @description Something of the difference was left out, because it is too large.
                         * @constant
                         */
                        shortened?: true;
                        /** @constant */
                        success: true;
                    };
                };
            };
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RestInvalidParam"] | components["schemas"]["RestInvalidJson"];
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MissingToken"] | components["schemas"]["InvalidToken"];
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InsufficientRole"] | components["schemas"]["InsufficientScope"];
                };
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EntryNotFound"] | components["schemas"]["SiteNotFound"] | components["schemas"]["RestNoRoute"];
                };
            };
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RestBodyTooLarge"];
                };
            };
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RestUnsupportedMediaType"];
                };
            };
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TooManyRequests"] | components["schemas"]["TooManyAuthFailures"];
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InternalError"];
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DatabaseUnavailable"] | components["schemas"]["ServiceBusy"];
                };
            };
        };
    };
    createPlan: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request safe to repeat: the same request with the same key gets the first answer for 24 hours, and is not run again. Any visible ASCII characters, such as a new UUID for each write. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description At most 16 MB. */
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "version": 1,
                 *       "name": "shops",
                 *       "sites": [
                 *         {
                 *           "match": {
                 *             "id": [
                 *               2,
                 *               5
                 *             ]
                 *           },
                 *           "bundles": [
                 *             "shop"
                 *           ]
                 *         }
                 *       ],
                 *       "bundles": {
                 *         "shop": {
                 *           "frames": [
                 *             {
                 *               "slug": "header",
                 *               "html": "<h1>Shop</h1>"
                 *             }
                 *           ]
                 *         }
                 *       }
                 *     }
                 */
                "application/json": {
                    /** @description What sites can get, by name. */
                    bundles: {
                        [key: string]: {
                            frames?: {
                                /** @description Former slugs: what has one of them is renamed instead of created. */
                                formerly?: (string | number)[];
                                /** @description The markup. */
                                html: string;
                                slug: string | number;
                            }[];
                            menus?: ({
                                /** @description Former slugs: what has one of them is renamed instead of created. */
                                formerly?: (string | number)[];
                                name: string | number;
                                slug: string | number;
                            } & {
                                [key: string]: unknown;
                            })[];
                            /** @description The frame of each page, by the path of the page below the address of the site. */
                            pages?: {
                                [key: string]: string | number | null;
                            } | {
                                /** @description The slug of the frame; null if the page has none. */
                                frame: string | number | null;
                                /** @description The code of the language. */
                                lang?: string | number;
                                path: string;
                            }[];
                            /** @description Texts for `{{ name }}` in menus, and the data set `variables` for markup. */
                            variables?: {
                                [key: string]: string | number;
                            };
                        };
                    };
                    /**
                     * @description all: what is not described is deleted. named: it is left alone.
                     * @default named
                     * @enum {string}
                     */
                    manages?: "all" | "named";
                    /** @description Names the description: its runs and drift are found by it. */
                    name: string;
                    /** @description Which sites get which bundles. */
                    sites: {
                        /**
                         * @description What these sites get.
                         * @default []
                         */
                        bundles?: string[];
                        /**
                         * @description Replaces `manages` of the description.
                         * @enum {string}
                         */
                        manages?: "all" | "named";
                        /** @description Sites for which all of these hold. */
                        match: {
                            /** @description Host and path, such as net.test/shop. "*" means any characters. */
                            address?: string | string[];
                            /** @description Ids of sites. */
                            id?: number | number[];
                            /** @description Default language: its code with Polylang, such as fr, otherwise also its locale. */
                            language?: (string | number) | (string | number)[];
                            /** @description Stored values of public options, and of options named svc_label_…. */
                            option?: {
                                [key: string]: (string | number) | (string | number)[];
                            };
                            /** @description Folder names of themes. */
                            theme?: (string | number) | (string | number)[];
                        };
                        /** @description Texts for `{{ name }}` in menus, and the data set `variables` for markup. */
                        variables?: {
                            [key: string]: string | number;
                        };
                    }[];
                    /**
                     * @description The version of this format.
                     * @constant
                     */
                    version: 1;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        plan: components["schemas"]["Plan"];
                        /** @constant */
                        success: true;
                    };
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RestInvalidParam"] | components["schemas"]["RestInvalidJson"];
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MissingToken"] | components["schemas"]["InvalidToken"];
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InsufficientRole"] | components["schemas"]["InsufficientScope"];
                };
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SiteNotFound"] | components["schemas"]["RestNoRoute"];
                };
            };
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IdempotencyKeyReused"];
                };
            };
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IdempotentAnswerTooLarge"] | components["schemas"]["RestBodyTooLarge"];
                };
            };
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RestUnsupportedMediaType"];
                };
            };
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TooManyRequests"] | components["schemas"]["TooManyAuthFailures"];
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InternalError"];
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DatabaseUnavailable"] | components["schemas"]["ServiceBusy"];
                };
            };
        };
    };
    getPlan: {
        parameters: {
            query?: {
                /** @description `next` of the page before. */
                after?: number;
                /** @description Sites on a page, at most 200; by default 20. */
                limit?: number;
                /** @description Only sites in this state. */
                state?: "waiting" | "planned" | "applied" | "refused" | "blocked" | "failed" | "skipped" | "rolled_back";
            };
            header?: {
                /** @description ETag of an earlier response; `304` means that the response is unchanged. */
                "If-None-Match"?: string;
            };
            path: {
                /** @description Id of the plan. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description `after` of the next page; null on the last one. */
                        next: number | null;
                        plan: components["schemas"]["Plan"];
                        /** @description In the order of the ids of sites. */
                        results: components["schemas"]["PlannedSite"][];
                        /** @constant */
                        success: true;
                    };
                };
            };
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RestInvalidParam"] | components["schemas"]["RestInvalidJson"];
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MissingToken"] | components["schemas"]["InvalidToken"];
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InsufficientRole"] | components["schemas"]["InsufficientScope"];
                };
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PlanNotFound"] | components["schemas"]["SiteNotFound"] | components["schemas"]["RestNoRoute"];
                };
            };
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RestBodyTooLarge"];
                };
            };
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RestUnsupportedMediaType"];
                };
            };
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TooManyRequests"] | components["schemas"]["TooManyAuthFailures"];
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InternalError"];
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DatabaseUnavailable"] | components["schemas"]["ServiceBusy"];
                };
            };
        };
    };
    applyPlan: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request safe to repeat: the same request with the same key gets the first answer for 24 hours, and is not run again. Any visible ASCII characters, such as a new UUID for each write. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description Id of the plan. */
                id: string;
            };
            cookie?: never;
        };
        /** @description At most 1 MB. */
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "max_failures": 10
                 *     }
                 */
                "application/json": {
                    /** @description When more sites than this have failed, the others are skipped [no limit]. */
                    max_failures?: number;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        plan: components["schemas"]["Plan"];
                        /** @constant */
                        success: true;
                    };
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RestInvalidParam"] | components["schemas"]["RestInvalidJson"];
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MissingToken"] | components["schemas"]["InvalidToken"];
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InsufficientRole"] | components["schemas"]["InsufficientScope"];
                };
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PlanNotFound"] | components["schemas"]["SiteNotFound"] | components["schemas"]["RestNoRoute"];
                };
            };
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PlanNotReady"] | components["schemas"]["IdempotencyKeyReused"];
                };
            };
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IdempotentAnswerTooLarge"] | components["schemas"]["RestBodyTooLarge"];
                };
            };
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RestUnsupportedMediaType"];
                };
            };
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TooManyRequests"] | components["schemas"]["TooManyAuthFailures"];
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InternalError"];
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DatabaseUnavailable"] | components["schemas"]["ServiceBusy"];
                };
            };
        };
    };
    rollBackPlan: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request safe to repeat: the same request with the same key gets the first answer for 24 hours, and is not run again. Any visible ASCII characters, such as a new UUID for each write. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description Id of the plan. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        plan: components["schemas"]["Plan"];
                        /** @constant */
                        success: true;
                    };
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RestInvalidParam"] | components["schemas"]["RestInvalidJson"];
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MissingToken"] | components["schemas"]["InvalidToken"];
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InsufficientRole"] | components["schemas"]["InsufficientScope"];
                };
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PlanNotFound"] | components["schemas"]["SiteNotFound"] | components["schemas"]["RestNoRoute"];
                };
            };
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PlanNotReady"] | components["schemas"]["IdempotencyKeyReused"];
                };
            };
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IdempotentAnswerTooLarge"] | components["schemas"]["RestBodyTooLarge"];
                };
            };
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RestUnsupportedMediaType"];
                };
            };
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TooManyRequests"] | components["schemas"]["TooManyAuthFailures"];
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InternalError"];
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DatabaseUnavailable"] | components["schemas"]["ServiceBusy"];
                };
            };
        };
    };
    listNetworkSites: {
        parameters: {
            query?: {
                /** @description `next` of the page before. */
                after?: number;
                /** @description Only the site with this id. */
                id?: number;
                /** @description Sites on a page, at most 200; by default 50. */
                limit?: number;
                /** @description Only sites whose title or address contains this text, or whose id it is; case-insensitive. */
                search?: string;
            };
            header?: {
                /** @description ETag of an earlier response; `304` means that the response is unchanged. */
                "If-None-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The change feed; null if none was ever started. */
                        feed: {
                            /** @description Why it failed last, and how many seconds ago. */
                            error: {
                                age_s: number;
                                message: string;
                            } | null;
                            /** @description Whether edits in WordPress are reported in time. */
                            healthy: boolean;
                            /** @description How long they take to arrive; null if that is unknown. */
                            lag_ms: number | null;
                        } | null;
                        /** @description `after` of the next page; null on the last one. */
                        next: number | null;
                        sites: {
                            /** @example net.test/shop */
                            address: string;
                            /** @description Number of frames; null if the registry of the site cannot be read. */
                            frames: number | null;
                            /** @example http://net.test/shop */
                            home: string;
                            /** @description False if the site has no tables. */
                            installed: boolean;
                            /** @example 2 */
                            site_id: number;
                            /**
                             * @description Visitors see only `live` sites.
                             * @enum {string}
                             */
                            state: "live" | "archived" | "spam" | "deleted";
                            /**
                             * @description Plain text.
                             * @example Shop
                             */
                            title: string;
                            /** @description Increases with each write that has effects; 0 before the first. */
                            version: number;
                            work: {
                                /** @description What has failed and is tried again. */
                                failing: {
                                    /** @description Frames, and other things that were touched, such as menus. Which pages they change is known when they are built. */
                                    frames: number;
                                    /** @description Pages whose static copies are to be published or removed. */
                                    pages: number;
                                };
                                /** @description What has waited longest; null if nothing is pending. */
                                oldest: {
                                    /** @description Seconds since then. */
                                    age_s: number;
                                    /**
                                     * @description When it was touched, GMT.
                                     * @example 2026-03-01 09:30:00
                                     */
                                    since: string;
                                } | null;
                                /** @description Everything that is not finished, including what is running and what is failing. */
                                pending: {
                                    /** @description Frames, and other things that were touched, such as menus. Which pages they change is known when they are built. */
                                    frames: number;
                                    /** @description Pages whose static copies are to be published or removed. */
                                    pages: number;
                                };
                                /** @description What a worker builds now. */
                                running: {
                                    /** @description Frames, and other things that were touched, such as menus. Which pages they change is known when they are built. */
                                    frames: number;
                                    /** @description Pages whose static copies are to be published or removed. */
                                    pages: number;
                                };
                            };
                        }[];
                        /** @constant */
                        success: true;
                        /** @description Sites on all pages. */
                        total: number;
                    };
                };
            };
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RestInvalidParam"] | components["schemas"]["RestInvalidJson"];
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MissingToken"] | components["schemas"]["InvalidToken"];
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InsufficientRole"] | components["schemas"]["InsufficientScope"];
                };
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SiteNotFound"] | components["schemas"]["RestNoRoute"];
                };
            };
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RestBodyTooLarge"];
                };
            };
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RestUnsupportedMediaType"];
                };
            };
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TooManyRequests"] | components["schemas"]["TooManyAuthFailures"];
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InternalError"];
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DatabaseUnavailable"] | components["schemas"]["ServiceBusy"];
                };
            };
        };
    };
    listTokens: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETag of an earlier response; `304` means that the response is unchanged. */
                "If-None-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        tokens: components["schemas"]["Token"][];
                    };
                };
            };
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RestInvalidParam"] | components["schemas"]["RestInvalidJson"];
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MissingToken"] | components["schemas"]["InvalidToken"];
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InsufficientRole"] | components["schemas"]["InsufficientScope"];
                };
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SiteNotFound"] | components["schemas"]["RestNoRoute"];
                };
            };
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RestBodyTooLarge"];
                };
            };
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RestUnsupportedMediaType"];
                };
            };
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TooManyRequests"] | components["schemas"]["TooManyAuthFailures"];
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InternalError"];
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DatabaseUnavailable"] | components["schemas"]["ServiceBusy"];
                };
            };
        };
    };
    issueToken: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request safe to repeat: the same request with the same key gets the first answer for 24 hours, and is not run again. Any visible ASCII characters, such as a new UUID for each write. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description At most 1 MB. */
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "user": "alice",
                 *       "label": "deploy",
                 *       "scope": "frames",
                 *       "sites": [
                 *         2
                 *       ]
                 *     }
                 */
                "application/json": {
                    /**
                     * @description When it expires (ISO 8601, GMT unless it has a zone); by default never.
                     * @example 2027-01-01T00:00:00Z
                     */
                    expires_at?: string | null;
                    /** @description A note on its purpose. */
                    label?: string;
                    /**
                     * @description What the token may do at most. It never widens what its user may do.
                     * @example frames
                     * @enum {string}
                     */
                    scope?: "read" | "frames" | "menus" | "all";
                    /**
                     * @description The only sites that exist for the token; null for all.
                     * @example [
                     *       2,
                     *       5
                     *     ]
                     */
                    sites?: number[] | null;
                    /**
                     * @description Login of its user.
                     * @example alice
                     */
                    user: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description GMT.
                         * @example 2026-03-01 09:30:00
                         */
                        expires_at: string | null;
                        id: number;
                        label: string;
                        /**
                         * @description What the token may do at most. It never widens what its user may do.
                         * @example frames
                         * @enum {string}
                         */
                        scope: "read" | "frames" | "menus" | "all";
                        /**
                         * @description The only sites that exist for the token; null for all.
                         * @example [
                         *       2,
                         *       5
                         *     ]
                         */
                        sites: number[] | null;
                        /** @constant */
                        success: true;
                        /** @description The secret: `op_` and 64 characters. */
                        token: string;
                        user_id: number;
                    };
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RestInvalidParam"] | components["schemas"]["RestInvalidJson"];
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MissingToken"] | components["schemas"]["InvalidToken"];
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InsufficientRole"] | components["schemas"]["InsufficientScope"];
                };
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UserNotFound"] | components["schemas"]["SiteNotFound"] | components["schemas"]["RestNoRoute"];
                };
            };
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IdempotencyKeyReused"];
                };
            };
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IdempotentAnswerTooLarge"] | components["schemas"]["RestBodyTooLarge"];
                };
            };
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RestUnsupportedMediaType"];
                };
            };
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TooManyRequests"] | components["schemas"]["TooManyAuthFailures"];
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InternalError"];
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DatabaseUnavailable"] | components["schemas"]["ServiceBusy"];
                };
            };
        };
    };
    revokeToken: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request safe to repeat: the same request with the same key gets the first answer for 24 hours, and is not run again. Any visible ASCII characters, such as a new UUID for each write. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description Id of the token. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: number;
                        revoked_at: string;
                        /** @constant */
                        success: true;
                    };
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RestInvalidParam"] | components["schemas"]["RestInvalidJson"];
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MissingToken"] | components["schemas"]["InvalidToken"];
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InsufficientRole"] | components["schemas"]["InsufficientScope"];
                };
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TokenNotFound"] | components["schemas"]["SiteNotFound"] | components["schemas"]["RestNoRoute"];
                };
            };
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IdempotencyKeyReused"];
                };
            };
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IdempotentAnswerTooLarge"] | components["schemas"]["RestBodyTooLarge"];
                };
            };
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RestUnsupportedMediaType"];
                };
            };
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TooManyRequests"] | components["schemas"]["TooManyAuthFailures"];
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InternalError"];
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DatabaseUnavailable"] | components["schemas"]["ServiceBusy"];
                };
            };
        };
    };
    runBatch: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request safe to repeat: the same request with the same key gets the first answer for 24 hours, and is not run again. Any visible ASCII characters, such as a new UUID for each write. */
                "Idempotency-Key"?: string;
                /** @description ETag of an earlier read: if the frame or menu has changed since, the response is `412` and nothing is written. */
                "If-Match"?: string;
                /** @description `*`: if the frame or menu already exists, the response is `412` and nothing is written. */
                "If-None-Match"?: string;
            };
            path: {
                /** @description Blog id of the site. */
                site_id: number;
            };
            cookie?: never;
        };
        /** @description At most 16 MB. */
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "requests": [
                 *         {
                 *           "method": "PUT",
                 *           "path": "/frames/site-header",
                 *           "body": {
                 *             "html": "<header></header>"
                 *           }
                 *         },
                 *         {
                 *           "method": "POST",
                 *           "path": "/frames/site-header/assign",
                 *           "body": {
                 *             "page": "about-us"
                 *           }
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": {
                    /**
                     * @description False: do not build anything now.
                     * @default true
                     */
                    bake?: boolean;
                    /**
                     * @description Run all requests and report, but store nothing.
                     * @default false
                     */
                    dry_run?: boolean;
                    /** @description `plan` of a dry run of the same requests: they are stored only if they do the same now, otherwise the response is `409 plan_changed`. */
                    plan?: string;
                    /** @description Writes of frames, menus and their assignments, in their order. */
                    requests: {
                        /** @description The body of the request. */
                        body?: unknown;
                        /**
                         * @description The conditions of this request.
                         * @default {}
                         */
                        headers?: {
                            "If-Match"?: string;
                            "If-None-Match"?: string;
                        };
                        /** @enum {string} */
                        method: "POST" | "PUT" | "PATCH" | "DELETE";
                        /**
                         * @description The path below the site, percent-encoded, without a query.
                         * @example /frames/site-header
                         */
                        path: string;
                        /**
                         * @description The parameters of the query.
                         * @default {}
                         */
                        query?: {
                            [key: string]: string;
                        };
                    }[];
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Only of a dry run: what the requests do to each thing. */
                        diffs?: components["schemas"]["WrittenThing"][];
                        dry_run: boolean;
                        pending?: components["schemas"]["Pending"];
                        /** @description Only of a dry run: identifies what the requests do. */
                        plan?: string;
                        rebaked?: components["schemas"]["Rebaked"];
                        republish?: components["schemas"]["Republish"];
                        /** @description One for each request, in the same order. */
                        responses: components["schemas"]["BatchResponse"][];
                        /**
                         * @description The site of the response.
                         * @example 2
                         */
                        site_id: number;
                        /** @constant */
                        success: true;
                    };
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FrameUrlNotSupported"] | components["schemas"]["FrameHtmlRequired"] | components["schemas"]["InvalidSlug"] | components["schemas"]["FrameRefConflict"] | components["schemas"]["FrameCharsetUnsupported"] | components["schemas"]["FrameRefRequired"] | components["schemas"]["NothingToUpdate"] | components["schemas"]["PageRequired"] | components["schemas"]["MenuNameRequired"] | components["schemas"]["BadItems"] | components["schemas"]["UnknownLocation"] | components["schemas"]["UnknownLanguage"] | components["schemas"]["LocationRequired"] | components["schemas"]["ItemTargetRequired"] | components["schemas"]["BadReorder"] | components["schemas"]["RestInvalidParam"] | components["schemas"]["RestInvalidJson"];
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MissingToken"] | components["schemas"]["InvalidToken"];
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnfilteredHtmlRequired"] | components["schemas"]["InsufficientScope"];
                };
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FrameNotFound"] | components["schemas"]["PageNotFound"] | components["schemas"]["MenuNotFound"] | components["schemas"]["MenuNotAssigned"] | components["schemas"]["ItemNotFound"] | components["schemas"]["SiteNotFound"] | components["schemas"]["RestNoRoute"];
                };
            };
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SlugTaken"] | components["schemas"]["EngineNotTransactional"] | components["schemas"]["AmbiguousPage"] | components["schemas"]["MenuItemsUnresolved"] | components["schemas"]["MenuItemsInvalid"] | components["schemas"]["PolylangInactive"] | components["schemas"]["AmbiguousMenu"] | components["schemas"]["BadParent"] | components["schemas"]["PlanChanged"] | components["schemas"]["IdempotencyKeyReused"];
                };
            };
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Gone"];
                };
            };
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PreconditionFailed"];
                };
            };
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FrameTooLarge"] | components["schemas"]["SiteQuotaExceeded"] | components["schemas"]["BatchTooLarge"] | components["schemas"]["IdempotentAnswerTooLarge"] | components["schemas"]["RestBodyTooLarge"];
                };
            };
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RestUnsupportedMediaType"];
                };
            };
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TooManyRequests"] | components["schemas"]["TooManyAuthFailures"];
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FrameUnreadable"] | components["schemas"]["MenuAssignmentNotStored"] | components["schemas"]["InternalError"];
                };
            };
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InternalUnavailable"];
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DatabaseUnavailable"] | components["schemas"]["ServiceBusy"];
                };
            };
        };
    };
    reportChanges: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Blog id of the site. */
                site_id: number;
            };
            cookie?: never;
        };
        /** @description At most 1 MB. */
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "posts": [
                 *         12
                 *       ]
                 *     }
                 */
                "application/json": {
                    /**
                     * @description Names of options.
                     * @example [
                     *       "blogname"
                     *     ]
                     */
                    options?: string[];
                    /**
                     * @description Ids of pages, menu items or other posts that were written or deleted.
                     * @example [
                     *       12,
                     *       45
                     *     ]
                     */
                    posts?: number[];
                    /**
                     * @description Whether terms were written: menus, languages, translations, categories.
                     * @default false
                     */
                    terms?: boolean;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Whether there were edits that had not been found before and that pages may show. */
                        edited: boolean;
                        pending?: components["schemas"]["Pending"];
                        rebaked: components["schemas"]["Rebaked"];
                        republish: components["schemas"]["Republish"];
                        /**
                         * @description The site of the response.
                         * @example 2
                         */
                        site_id: number;
                        /** @constant */
                        success: true;
                    };
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RestInvalidParam"] | components["schemas"]["RestInvalidJson"];
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MissingToken"] | components["schemas"]["InvalidToken"];
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InsufficientScope"];
                };
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SiteNotFound"] | components["schemas"]["RestNoRoute"];
                };
            };
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RestBodyTooLarge"];
                };
            };
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RestUnsupportedMediaType"];
                };
            };
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TooManyRequests"] | components["schemas"]["TooManyAuthFailures"];
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InternalError"];
                };
            };
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InternalUnavailable"];
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DatabaseUnavailable"] | components["schemas"]["ServiceBusy"];
                };
            };
        };
    };
    readData: {
        parameters: {
            query?: {
                /** @description Code of one of the site's languages, on a site with Polylang; by default its default language. */
                lang?: string;
            };
            header?: {
                /** @description ETag of an earlier response; `304` means that the response is unchanged. */
                "If-None-Match"?: string;
            };
            path: {
                /** @description Blog id of the site. */
                site_id: number;
                /** @description One of `menu.<location>`, `pages`, `languages`, `site`, `settings` and `dataset.<name>`, or a path into one of the last three. */
                source: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["MenuRow"][];
                        /** @example fr */
                        lang: string | null;
                        /** @description Null if no menu is assigned to the location. */
                        menu: components["schemas"]["Menu"] | null;
                        /**
                         * @description The site of the response.
                         * @example 2
                         */
                        site_id: number;
                        /** @example menu.header */
                        source: string;
                        /** @constant */
                        success: true;
                        /** @description Number of items of the menu. */
                        total: number;
                    } | {
                        /** @description Pages, languages, or the rows of a data set. */
                        items: unknown[];
                        /** @example fr */
                        lang: string | null;
                        /**
                         * @description The site of the response.
                         * @example 2
                         */
                        site_id: number;
                        /** @example menu.header */
                        source: string;
                        /** @constant */
                        success: true;
                        total: number;
                    } | {
                        /** @example fr */
                        lang: string | null;
                        /**
                         * @description The site of the response.
                         * @example 2
                         */
                        site_id: number;
                        /** @example menu.header */
                        source: string;
                        /** @constant */
                        success: true;
                        value: unknown;
                    };
                };
            };
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnknownLocation"] | components["schemas"]["UnknownLanguage"] | components["schemas"]["RestInvalidParam"] | components["schemas"]["RestInvalidJson"];
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MissingToken"] | components["schemas"]["InvalidToken"];
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InsufficientScope"];
                };
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnknownSource"] | components["schemas"]["SiteNotFound"] | components["schemas"]["RestNoRoute"];
                };
            };
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PolylangInactive"];
                };
            };
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RestBodyTooLarge"];
                };
            };
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RestUnsupportedMediaType"];
                };
            };
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TooManyRequests"] | components["schemas"]["TooManyAuthFailures"];
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InternalError"];
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DatabaseUnavailable"] | components["schemas"]["ServiceBusy"];
                };
            };
        };
    };
    describeSite: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETag of an earlier response; `304` means that the response is unchanged. */
                "If-None-Match"?: string;
            };
            path: {
                /** @description Blog id of the site. */
                site_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        description: components["schemas"]["SiteDescription"];
                        /** @description What the site has and the description does not contain, one sentence each. */
                        notes: string[];
                        /**
                         * @description The site of the response.
                         * @example 2
                         */
                        site_id: number;
                        /** @constant */
                        success: true;
                    };
                };
            };
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RestInvalidParam"] | components["schemas"]["RestInvalidJson"];
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MissingToken"] | components["schemas"]["InvalidToken"];
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InsufficientScope"];
                };
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SiteNotFound"] | components["schemas"]["RestNoRoute"];
                };
            };
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DescriptionTooLarge"] | components["schemas"]["RestBodyTooLarge"];
                };
            };
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RestUnsupportedMediaType"];
                };
            };
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TooManyRequests"] | components["schemas"]["TooManyAuthFailures"];
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InternalError"];
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DatabaseUnavailable"] | components["schemas"]["ServiceBusy"];
                };
            };
        };
    };
    listFindings: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETag of an earlier response; `304` means that the response is unchanged. */
                "If-None-Match"?: string;
            };
            path: {
                /** @description Blog id of the site. */
                site_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The most severe first; at most 500. */
                        findings: components["schemas"]["Finding"][];
                        /** @description The automatic fixes of all findings, in their order. */
                        fixes: components["schemas"]["Fix"][];
                        /**
                         * @description The site of the response.
                         * @example 2
                         */
                        site_id: number;
                        /** @constant */
                        success: true;
                        total: number;
                    };
                };
            };
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RestInvalidParam"] | components["schemas"]["RestInvalidJson"];
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MissingToken"] | components["schemas"]["InvalidToken"];
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InsufficientScope"];
                };
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SiteNotFound"] | components["schemas"]["RestNoRoute"];
                };
            };
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ExaminationTooSlow"] | components["schemas"]["RestBodyTooLarge"];
                };
            };
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RestUnsupportedMediaType"];
                };
            };
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TooManyRequests"] | components["schemas"]["TooManyAuthFailures"];
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InternalError"];
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DatabaseUnavailable"] | components["schemas"]["ServiceBusy"];
                };
            };
        };
    };
    fixFindings: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Blog id of the site. */
                site_id: number;
            };
            cookie?: never;
        };
        /** @description At most 1 MB. */
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "fixes": [
                 *         "4f1c2d3e4b5a6978"
                 *       ],
                 *       "dry_run": true
                 *     }
                 */
                "application/json": {
                    /**
                     * @description Report what would be fixed, but write nothing.
                     * @default false
                     */
                    dry_run?: boolean;
                    /**
                     * @description Ids of fixes.
                     * @example [
                     *       "4f1c2d3e4b5a6978"
                     *     ]
                     */
                    fixes: string[];
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        dry_run: boolean;
                        /** @description In the order in which they are applied. */
                        fixes: {
                            /** @description False in a dry run. */
                            applied: boolean;
                            /** @example menu_count_wrong */
                            check: string;
                            /** @description Number of findings that it fixes. */
                            findings: number;
                            /**
                             * @description Changes if the fix would fix something else.
                             * @example 4f1c2d3e4b5a6978
                             */
                            id: string;
                            /** @description What it fixes; at most 20. */
                            messages: string[];
                            /** @example Corrects the count of menu 23. */
                            summary: string;
                        }[];
                        /** @description Ids of the fixes that would fix nothing, or something else now. They were not applied: read the findings again. */
                        missing: string[];
                        /**
                         * @description The site of the response.
                         * @example 2
                         */
                        site_id: number;
                        /** @constant */
                        success: true;
                    };
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RestInvalidParam"] | components["schemas"]["RestInvalidJson"];
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MissingToken"] | components["schemas"]["InvalidToken"];
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InsufficientScope"];
                };
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SiteNotFound"] | components["schemas"]["RestNoRoute"];
                };
            };
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ExaminationTooSlow"] | components["schemas"]["FixTooLarge"] | components["schemas"]["RestBodyTooLarge"];
                };
            };
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RestUnsupportedMediaType"];
                };
            };
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TooManyRequests"] | components["schemas"]["TooManyAuthFailures"];
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InternalError"];
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DatabaseUnavailable"] | components["schemas"]["ServiceBusy"];
                };
            };
        };
    };
    listFrames: {
        parameters: {
            query?: {
                /** @description Only slugs after this one: `next` of the page before. */
                after?: string;
                /** @description Only frames of this block: itself, its elements and its modifiers. */
                block?: string;
                /** @description Include `details` of each frame: its use and its problems. */
                details?: boolean;
                /** @description Include the markup, up to 8 MB of JSON in all; `warnings` names the first frame without it. */
                include_html?: boolean;
                /** @description Frames on a page, at most 200; by default 50. */
                limit?: number;
                /** @description Only slugs that contain this text; case-insensitive. */
                q?: string;
                /** @description Ignored, with the warning `type_ignored`. */
                type?: string;
            };
            header?: {
                /** @description ETag of an earlier response; `304` means that the response is unchanged. */
                "If-None-Match"?: string;
            };
            path: {
                /** @description Blog id of the site. */
                site_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        frames: {
                            binds: number;
                            /** @example site-header */
                            block: string;
                            /** @description Size of the markup in UTF-8. */
                            bytes: number;
                            /**
                             * @description GMT.
                             * @example 2026-03-01 09:30:00
                             */
                            created_at_gmt: string;
                            details?: components["schemas"]["FrameDetails"];
                            element: string | null;
                            /**
                             * @description Slugs of the frames that the frame embeds.
                             * @example [
                             *       "card"
                             *     ]
                             */
                            frame_refs: string[];
                            /** @description The markup, exactly as it was sent. */
                            html?: string;
                            /**
                             * @description 16 hexadecimal characters, or the id that an older endpoint assigned.
                             * @example 5158798bd2006010
                             */
                            id: string;
                            /**
                             * @description Number of inserts by kind.
                             * @example {
                             *       "op/menu": 1
                             *     }
                             */
                            inserts: {
                                [key: string]: number;
                            };
                            modifier: string | null;
                            /** @example svc_frame_5158798bd2006010 */
                            option: string;
                            /**
                             * @description Ids of the pages that use the frame.
                             * @example [
                             *       3,
                             *       7
                             *     ]
                             */
                            pages?: number[];
                            /** @description Whether the frame, or a frame that it embeds, depends on the page that is rendered. */
                            renders_on_request: boolean;
                            sha256: string;
                            /** @example site-header */
                            slug: string;
                            /**
                             * @description Data sources that the frame reads.
                             * @example [
                             *       "menu.header",
                             *       "site.title"
                             *     ]
                             */
                            sources: string[];
                            /**
                             * @description GMT.
                             * @example 2026-03-01 09:30:00
                             */
                            updated_at_gmt: string;
                            /** @description Id of the user who wrote it last. */
                            updated_by: number;
                        }[];
                        /** @example http://net.test/shop/ */
                        home_url: string;
                        /** @description Only with `after`, `limit` or `details`: `after` of the next page; null on the last one. */
                        next?: string | null;
                        /** @example _svc_frame */
                        page_meta: string;
                        /** @example svc_frames */
                        registry_option: string;
                        /**
                         * @description The site of the response.
                         * @example 2
                         */
                        site_id: number;
                        /** @example ^[a-z0-9]+(?:-[a-z0-9]+)*(?:__[a-z0-9]+(?:-[a-z0-9]+)*)?(?:--[a-z0-9]+(?:-[a-z0-9]+)*)?$ */
                        slug_pattern: string;
                        /** @constant */
                        success: true;
                        /** @description All frames that were selected, on all pages. */
                        total: number;
                        warnings?: string[];
                    };
                };
            };
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RestInvalidParam"] | components["schemas"]["RestInvalidJson"];
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MissingToken"] | components["schemas"]["InvalidToken"];
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InsufficientScope"];
                };
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SiteNotFound"] | components["schemas"]["RestNoRoute"];
                };
            };
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RestBodyTooLarge"];
                };
            };
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RestUnsupportedMediaType"];
                };
            };
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TooManyRequests"] | components["schemas"]["TooManyAuthFailures"];
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FrameUnreadable"] | components["schemas"]["InternalError"];
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DatabaseUnavailable"] | components["schemas"]["ServiceBusy"];
                };
            };
        };
    };
    createFrame: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request safe to repeat: the same request with the same key gets the first answer for 24 hours, and is not run again. Any visible ASCII characters, such as a new UUID for each write. */
                "Idempotency-Key"?: string;
                /** @description ETag of an earlier read: if the frame or menu has changed since, the response is `412` and nothing is written. */
                "If-Match"?: string;
                /** @description `*`: if the frame or menu already exists, the response is `412` and nothing is written. */
                "If-None-Match"?: string;
            };
            path: {
                /** @description Blog id of the site. */
                site_id: number;
            };
            cookie?: never;
        };
        /** @description At most 16 MB. */
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "slug": "hello",
                 *       "html": "<h1><!-- svc/data {\"source\":\"site.title\"} /--></h1>"
                 *     }
                 */
                "application/json": {
                    /**
                     * @description False: do not build anything now.
                     * @default true
                     */
                    bake?: boolean;
                    /** @description Another name for `html`. */
                    content?: string;
                    /**
                     * @deprecated
                     * @description Ignored, with the warning `default_ignored`.
                     */
                    default?: unknown;
                    /**
                     * @description Validate and report, but store nothing.
                     * @default false
                     */
                    dry_run?: boolean;
                    /**
                     * @description The markup, at most 2 MB (2,097,152 bytes). Required, under this name or another one.
                     * @example <header><!-- svc/menu {"location":"header"} /--></header>
                     */
                    html?: string;
                    /**
                     * @deprecated
                     * @description Ignored, with the warning `default_ignored`.
                     */
                    is_default?: unknown;
                    /** @description Another name for `html`. */
                    markup?: string;
                    /**
                     * @deprecated
                     * @description Ignored, with the warning `name_ignored`.
                     */
                    name?: unknown;
                    /**
                     * @description `block__element--modifier`, unique on the site; converted to lower case.
                     * @example site-header
                     */
                    slug: string;
                    /**
                     * @deprecated
                     * @description Ignored, with the warning `type_ignored`.
                     */
                    type?: unknown;
                    /**
                     * @deprecated
                     * @description Rejected with `frame_url_not_supported`: a frame has no URL.
                     */
                    url?: unknown;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description False in a dry run. */
                        applied: boolean;
                        /** @description Missing in a dry run. */
                        bake?: components["schemas"]["Bake"];
                        binds: number;
                        /** @description Only in a dry run. */
                        dry_run?: boolean;
                        frame: components["schemas"]["Frame"];
                        /**
                         * @description Slugs of the frames that the frame embeds.
                         * @example [
                         *       "card"
                         *     ]
                         */
                        frame_refs: string[];
                        /** @description Embedded frames that do not exist; they print nothing. */
                        frame_refs_missing: string[];
                        has_body: boolean;
                        has_doctype: boolean;
                        /**
                         * @description Number of inserts by kind.
                         * @example {
                         *       "op/menu": 1
                         *     }
                         */
                        inserts: {
                            [key: string]: number;
                        };
                        inserts_total: number;
                        /**
                         * @description Why the frame depends on the page that is rendered.
                         * @example [
                         *       "svc/menu current"
                         *     ]
                         */
                        live_reasons: string[];
                        pending?: components["schemas"]["Pending"];
                        /** @description Missing in a dry run. */
                        rebaked?: components["schemas"]["Rebaked"];
                        /** @description Whether the frame, or a frame that it embeds, depends on the page that is rendered. */
                        renders_on_request: boolean;
                        /** @description Missing in a dry run. */
                        republish?: components["schemas"]["Republish"];
                        /**
                         * @description The site of the response.
                         * @example 2
                         */
                        site_id: number;
                        /**
                         * @description Data sources that the frame reads.
                         * @example [
                         *       "menu.header",
                         *       "site.title"
                         *     ]
                         */
                        sources: string[];
                        /** @constant */
                        success: true;
                        /** @description False if the frame is new. */
                        updated: boolean;
                        /** @description Problems of the markup, and fields of the request that were ignored. */
                        warnings: string[];
                    };
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FrameUrlNotSupported"] | components["schemas"]["FrameHtmlRequired"] | components["schemas"]["InvalidSlug"] | components["schemas"]["FrameRefConflict"] | components["schemas"]["FrameCharsetUnsupported"] | components["schemas"]["RestInvalidParam"] | components["schemas"]["RestInvalidJson"];
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MissingToken"] | components["schemas"]["InvalidToken"];
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnfilteredHtmlRequired"] | components["schemas"]["InsufficientScope"];
                };
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SiteNotFound"] | components["schemas"]["RestNoRoute"];
                };
            };
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SlugTaken"] | components["schemas"]["EngineNotTransactional"] | components["schemas"]["IdempotencyKeyReused"];
                };
            };
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PreconditionFailed"];
                };
            };
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FrameTooLarge"] | components["schemas"]["SiteQuotaExceeded"] | components["schemas"]["IdempotentAnswerTooLarge"] | components["schemas"]["RestBodyTooLarge"];
                };
            };
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RestUnsupportedMediaType"];
                };
            };
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TooManyRequests"] | components["schemas"]["TooManyAuthFailures"];
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FrameUnreadable"] | components["schemas"]["InternalError"];
                };
            };
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InternalUnavailable"];
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DatabaseUnavailable"] | components["schemas"]["ServiceBusy"];
                };
            };
        };
    };
    getFrame: {
        parameters: {
            query?: {
                /** @description Reads the state at this moment: a time in ISO 8601 (GMT unless it has a zone), or the id of an entry of the history. */
                at?: string;
                /** @description Include `details` of each frame: its use and its problems. */
                details?: boolean;
            };
            header?: {
                /** @description ETag of an earlier response; `304` means that the response is unchanged. */
                "If-None-Match"?: string;
            };
            path: {
                /** @description A frame: its id (16 hexadecimal characters) or its slug. */
                ref: string;
                /** @description Blog id of the site. */
                site_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        frame: {
                            binds: number;
                            /** @example site-header */
                            block: string;
                            /** @description Size of the markup in UTF-8. */
                            bytes: number;
                            /**
                             * @description GMT.
                             * @example 2026-03-01 09:30:00
                             */
                            created_at_gmt: string;
                            details?: components["schemas"]["FrameDetails"];
                            element: string | null;
                            /**
                             * @description Slugs of the frames that the frame embeds.
                             * @example [
                             *       "card"
                             *     ]
                             */
                            frame_refs: string[];
                            /** @description The markup, exactly as it was sent. */
                            html: string;
                            /**
                             * @description 16 hexadecimal characters, or the id that an older endpoint assigned.
                             * @example 5158798bd2006010
                             */
                            id: string;
                            /**
                             * @description Number of inserts by kind.
                             * @example {
                             *       "op/menu": 1
                             *     }
                             */
                            inserts: {
                                [key: string]: number;
                            };
                            modifier: string | null;
                            /** @example svc_frame_5158798bd2006010 */
                            option: string;
                            /**
                             * @description Ids of the pages that use the frame.
                             * @example [
                             *       3,
                             *       7
                             *     ]
                             */
                            pages: number[];
                            /** @description Slugs of the frames that embed it. */
                            referenced_by: string[];
                            /** @description Whether the frame, or a frame that it embeds, depends on the page that is rendered. */
                            renders_on_request: boolean;
                            sha256: string;
                            /** @example site-header */
                            slug: string;
                            /**
                             * @description Data sources that the frame reads.
                             * @example [
                             *       "menu.header",
                             *       "site.title"
                             *     ]
                             */
                            sources: string[];
                            /**
                             * @description GMT.
                             * @example 2026-03-01 09:30:00
                             */
                            updated_at_gmt: string;
                            /** @description Id of the user who wrote it last. */
                            updated_by: number;
                        };
                        /** @constant */
                        success: true;
                    } | {
                        /** @description The entry with this state; null if the frame has not been written since the history began. */
                        entry: components["schemas"]["HistoryEntry"] | null;
                        frame: {
                            bytes: number;
                            created_at_gmt: string;
                            /** @description The markup, exactly as it was sent. */
                            html: string;
                            id: string;
                            sha256: string;
                            slug: string;
                            updated_at_gmt: string;
                            updated_by: number;
                        };
                        /** @constant */
                        success: true;
                    };
                };
            };
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FrameRefRequired"] | components["schemas"]["RestInvalidParam"] | components["schemas"]["RestInvalidJson"];
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MissingToken"] | components["schemas"]["InvalidToken"];
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InsufficientScope"];
                };
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FrameNotFound"] | components["schemas"]["EntryNotFound"] | components["schemas"]["SiteNotFound"] | components["schemas"]["RestNoRoute"];
                };
            };
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RestBodyTooLarge"];
                };
            };
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RestUnsupportedMediaType"];
                };
            };
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TooManyRequests"] | components["schemas"]["TooManyAuthFailures"];
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FrameUnreadable"] | components["schemas"]["InternalError"];
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DatabaseUnavailable"] | components["schemas"]["ServiceBusy"];
                };
            };
        };
    };
    replaceFrame: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request safe to repeat: the same request with the same key gets the first answer for 24 hours, and is not run again. Any visible ASCII characters, such as a new UUID for each write. */
                "Idempotency-Key"?: string;
                /** @description ETag of an earlier read: if the frame or menu has changed since, the response is `412` and nothing is written. */
                "If-Match"?: string;
                /** @description `*`: if the frame or menu already exists, the response is `412` and nothing is written. */
                "If-None-Match"?: string;
            };
            path: {
                /** @description A frame: its id (16 hexadecimal characters) or its slug. */
                ref: string;
                /** @description Blog id of the site. */
                site_id: number;
            };
            cookie?: never;
        };
        /** @description At most 16 MB. */
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "html": "<header><!-- svc/menu {\"location\":\"header\"} /--></header>"
                 *     }
                 */
                "application/json": {
                    /**
                     * @description False: do not build anything now.
                     * @default true
                     */
                    bake?: boolean;
                    /** @description Another name for `html`. */
                    content?: string;
                    /**
                     * @deprecated
                     * @description Ignored, with the warning `default_ignored`.
                     */
                    default?: unknown;
                    /**
                     * @description Validate and report, but store nothing.
                     * @default false
                     */
                    dry_run?: boolean;
                    /**
                     * @description The markup, at most 2 MB (2,097,152 bytes). Required, under this name or another one.
                     * @example <header><!-- svc/menu {"location":"header"} /--></header>
                     */
                    html?: string;
                    /**
                     * @deprecated
                     * @description Ignored, with the warning `default_ignored`.
                     */
                    is_default?: unknown;
                    /** @description Another name for `html`. */
                    markup?: string;
                    /**
                     * @deprecated
                     * @description Ignored, with the warning `name_ignored`.
                     */
                    name?: unknown;
                    /**
                     * @description `block__element--modifier`, unique on the site; converted to lower case.
                     * @example site-header
                     */
                    slug?: string;
                    /**
                     * @deprecated
                     * @description Ignored, with the warning `type_ignored`.
                     */
                    type?: unknown;
                    /**
                     * @deprecated
                     * @description Rejected with `frame_url_not_supported`: a frame has no URL.
                     */
                    url?: unknown;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description False in a dry run. */
                        applied: boolean;
                        /** @description Missing in a dry run. */
                        bake?: components["schemas"]["Bake"];
                        binds: number;
                        /** @description Only in a dry run. */
                        dry_run?: boolean;
                        frame: components["schemas"]["Frame"];
                        /**
                         * @description Slugs of the frames that the frame embeds.
                         * @example [
                         *       "card"
                         *     ]
                         */
                        frame_refs: string[];
                        /** @description Embedded frames that do not exist; they print nothing. */
                        frame_refs_missing: string[];
                        has_body: boolean;
                        has_doctype: boolean;
                        /**
                         * @description Number of inserts by kind.
                         * @example {
                         *       "op/menu": 1
                         *     }
                         */
                        inserts: {
                            [key: string]: number;
                        };
                        inserts_total: number;
                        /**
                         * @description Why the frame depends on the page that is rendered.
                         * @example [
                         *       "svc/menu current"
                         *     ]
                         */
                        live_reasons: string[];
                        pending?: components["schemas"]["Pending"];
                        /** @description Missing in a dry run. */
                        rebaked?: components["schemas"]["Rebaked"];
                        renamed?: components["schemas"]["Renamed"];
                        /** @description Whether the frame, or a frame that it embeds, depends on the page that is rendered. */
                        renders_on_request: boolean;
                        /** @description Missing in a dry run. */
                        republish?: components["schemas"]["Republish"];
                        /**
                         * @description The site of the response.
                         * @example 2
                         */
                        site_id: number;
                        /**
                         * @description Data sources that the frame reads.
                         * @example [
                         *       "menu.header",
                         *       "site.title"
                         *     ]
                         */
                        sources: string[];
                        /** @constant */
                        success: true;
                        /** @description False if the frame is new. */
                        updated: boolean;
                        /** @description Problems of the markup, and fields of the request that were ignored. */
                        warnings: string[];
                    };
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FrameUrlNotSupported"] | components["schemas"]["FrameRefRequired"] | components["schemas"]["FrameHtmlRequired"] | components["schemas"]["InvalidSlug"] | components["schemas"]["FrameRefConflict"] | components["schemas"]["FrameCharsetUnsupported"] | components["schemas"]["RestInvalidParam"] | components["schemas"]["RestInvalidJson"];
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MissingToken"] | components["schemas"]["InvalidToken"];
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnfilteredHtmlRequired"] | components["schemas"]["InsufficientScope"];
                };
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FrameNotFound"] | components["schemas"]["SiteNotFound"] | components["schemas"]["RestNoRoute"];
                };
            };
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SlugTaken"] | components["schemas"]["EngineNotTransactional"] | components["schemas"]["IdempotencyKeyReused"];
                };
            };
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PreconditionFailed"];
                };
            };
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FrameTooLarge"] | components["schemas"]["SiteQuotaExceeded"] | components["schemas"]["IdempotentAnswerTooLarge"] | components["schemas"]["RestBodyTooLarge"];
                };
            };
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RestUnsupportedMediaType"];
                };
            };
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TooManyRequests"] | components["schemas"]["TooManyAuthFailures"];
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FrameUnreadable"] | components["schemas"]["InternalError"];
                };
            };
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InternalUnavailable"];
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DatabaseUnavailable"] | components["schemas"]["ServiceBusy"];
                };
            };
        };
    };
    deleteFrame: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request safe to repeat: the same request with the same key gets the first answer for 24 hours, and is not run again. Any visible ASCII characters, such as a new UUID for each write. */
                "Idempotency-Key"?: string;
                /** @description ETag of an earlier read: if the frame or menu has changed since, the response is `412` and nothing is written. */
                "If-Match"?: string;
                /** @description `*`: if the frame or menu already exists, the response is `412` and nothing is written. */
                "If-None-Match"?: string;
            };
            path: {
                /** @description A frame: its id (16 hexadecimal characters) or its slug. */
                ref: string;
                /** @description Blog id of the site. */
                site_id: number;
            };
            cookie?: never;
        };
        /** @description At most 1 MB. */
        requestBody?: {
            content: {
                "application/json": {
                    /**
                     * @description False: do not build anything now.
                     * @default true
                     */
                    bake?: boolean;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        bake: components["schemas"]["Bake"];
                        deleted: {
                            /** @example site-header */
                            block: string;
                            element: string | null;
                            /**
                             * @description 16 hexadecimal characters, or the id that an older endpoint assigned.
                             * @example 5158798bd2006010
                             */
                            id: string;
                            modifier: string | null;
                            /** @example site-header */
                            slug: string;
                        };
                        pending?: components["schemas"]["Pending"];
                        rebaked: components["schemas"]["Rebaked"];
                        /** @description Slugs of the frames that embed it. */
                        referenced_by: string[];
                        republish: components["schemas"]["Republish"];
                        /**
                         * @description The site of the response.
                         * @example 2
                         */
                        site_id: number;
                        /** @constant */
                        success: true;
                        /** @description Ids of the pages that used it. */
                        unbound_pages: number[];
                        warnings: string[];
                    };
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FrameRefRequired"] | components["schemas"]["RestInvalidParam"] | components["schemas"]["RestInvalidJson"];
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MissingToken"] | components["schemas"]["InvalidToken"];
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InsufficientScope"];
                };
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FrameNotFound"] | components["schemas"]["SiteNotFound"] | components["schemas"]["RestNoRoute"];
                };
            };
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IdempotencyKeyReused"];
                };
            };
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PreconditionFailed"];
                };
            };
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IdempotentAnswerTooLarge"] | components["schemas"]["RestBodyTooLarge"];
                };
            };
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RestUnsupportedMediaType"];
                };
            };
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TooManyRequests"] | components["schemas"]["TooManyAuthFailures"];
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FrameUnreadable"] | components["schemas"]["InternalError"];
                };
            };
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InternalUnavailable"];
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DatabaseUnavailable"] | components["schemas"]["ServiceBusy"];
                };
            };
        };
    };
    renameFrame: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request safe to repeat: the same request with the same key gets the first answer for 24 hours, and is not run again. Any visible ASCII characters, such as a new UUID for each write. */
                "Idempotency-Key"?: string;
                /** @description ETag of an earlier read: if the frame or menu has changed since, the response is `412` and nothing is written. */
                "If-Match"?: string;
                /** @description `*`: if the frame or menu already exists, the response is `412` and nothing is written. */
                "If-None-Match"?: string;
            };
            path: {
                /** @description A frame: its id (16 hexadecimal characters) or its slug. */
                ref: string;
                /** @description Blog id of the site. */
                site_id: number;
            };
            cookie?: never;
        };
        /** @description At most 1 MB. */
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "slug": "site-header--wide"
                 *     }
                 */
                "application/json": {
                    /**
                     * @description False: do not build anything now.
                     * @default true
                     */
                    bake?: boolean;
                    /**
                     * @deprecated
                     * @description Ignored, with the warning `default_ignored`.
                     */
                    default?: unknown;
                    /**
                     * @description Validate and report, but store nothing.
                     * @default false
                     */
                    dry_run?: boolean;
                    /**
                     * @deprecated
                     * @description Ignored, with the warning `default_ignored`.
                     */
                    is_default?: unknown;
                    /**
                     * @deprecated
                     * @description Ignored, with the warning `name_ignored`.
                     */
                    name?: unknown;
                    /**
                     * @description `block__element--modifier`, unique on the site; converted to lower case.
                     * @example site-header
                     */
                    slug: string;
                    /**
                     * @deprecated
                     * @description Ignored, with the warning `type_ignored`.
                     */
                    type?: unknown;
                    /**
                     * @deprecated
                     * @description Rejected with `frame_url_not_supported`: a frame has no URL.
                     */
                    url?: unknown;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Only in a dry run. */
                        applied?: boolean;
                        bake?: components["schemas"]["Bake"];
                        dry_run?: boolean;
                        frame: components["schemas"]["Frame"];
                        pending?: components["schemas"]["Pending"];
                        rebaked?: components["schemas"]["Rebaked"];
                        renamed: components["schemas"]["Renamed"];
                        republish?: components["schemas"]["Republish"];
                        /**
                         * @description The site of the response.
                         * @example 2
                         */
                        site_id: number;
                        /** @constant */
                        success: true;
                        warnings?: string[];
                    };
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FrameUrlNotSupported"] | components["schemas"]["NothingToUpdate"] | components["schemas"]["InvalidSlug"] | components["schemas"]["FrameRefRequired"] | components["schemas"]["FrameCharsetUnsupported"] | components["schemas"]["RestInvalidParam"] | components["schemas"]["RestInvalidJson"];
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MissingToken"] | components["schemas"]["InvalidToken"];
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InsufficientScope"];
                };
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FrameNotFound"] | components["schemas"]["SiteNotFound"] | components["schemas"]["RestNoRoute"];
                };
            };
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SlugTaken"] | components["schemas"]["EngineNotTransactional"] | components["schemas"]["IdempotencyKeyReused"];
                };
            };
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Gone"];
                };
            };
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PreconditionFailed"];
                };
            };
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FrameTooLarge"] | components["schemas"]["SiteQuotaExceeded"] | components["schemas"]["IdempotentAnswerTooLarge"] | components["schemas"]["RestBodyTooLarge"];
                };
            };
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RestUnsupportedMediaType"];
                };
            };
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TooManyRequests"] | components["schemas"]["TooManyAuthFailures"];
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FrameUnreadable"] | components["schemas"]["InternalError"];
                };
            };
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InternalUnavailable"];
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DatabaseUnavailable"] | components["schemas"]["ServiceBusy"];
                };
            };
        };
    };
    assignFrame: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request safe to repeat: the same request with the same key gets the first answer for 24 hours, and is not run again. Any visible ASCII characters, such as a new UUID for each write. */
                "Idempotency-Key"?: string;
                /** @description ETag of an earlier read: if the frame or menu has changed since, the response is `412` and nothing is written. */
                "If-Match"?: string;
                /** @description `*`: if the frame or menu already exists, the response is `412` and nothing is written. */
                "If-None-Match"?: string;
            };
            path: {
                /** @description A frame: its id (16 hexadecimal characters) or its slug. */
                ref: string;
                /** @description Blog id of the site. */
                site_id: number;
            };
            cookie?: never;
        };
        /** @description At most 1 MB. */
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "page": "about-us/team"
                 *     }
                 */
                "application/json": {
                    /**
                     * @description False: do not build anything now.
                     * @default true
                     */
                    bake?: boolean;
                    /**
                     * @description True: remove the frame from the page.
                     * @default false
                     */
                    clear?: boolean;
                    /**
                     * @description The page: its id, slug or path.
                     * @example about-us/team
                     */
                    page: string | number;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        cleared: boolean;
                        frame: components["schemas"]["Frame"];
                        /** @example _svc_frame */
                        meta_key: string;
                        page: {
                            id: number;
                            /**
                             * @description As stored; HTML.
                             * @example Team
                             */
                            title: string;
                            /** @example http://net.test/shop/about-us/team/ */
                            url: string;
                        };
                        pending?: components["schemas"]["Pending"];
                        republish: components["schemas"]["Republish"];
                        /**
                         * @description The site of the response.
                         * @example 2
                         */
                        site_id: number;
                        /** @description Null if the executor did not respond, or if the copy was not finished within `EFFECTS_BUDGET_MS`. */
                        static: components["schemas"]["StaticCopy"] | null;
                        /** @constant */
                        success: true;
                    };
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PageRequired"] | components["schemas"]["FrameRefRequired"] | components["schemas"]["RestInvalidParam"] | components["schemas"]["RestInvalidJson"];
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MissingToken"] | components["schemas"]["InvalidToken"];
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InsufficientScope"];
                };
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PageNotFound"] | components["schemas"]["FrameNotFound"] | components["schemas"]["SiteNotFound"] | components["schemas"]["RestNoRoute"];
                };
            };
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AmbiguousPage"] | components["schemas"]["IdempotencyKeyReused"];
                };
            };
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PreconditionFailed"];
                };
            };
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IdempotentAnswerTooLarge"] | components["schemas"]["RestBodyTooLarge"];
                };
            };
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RestUnsupportedMediaType"];
                };
            };
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TooManyRequests"] | components["schemas"]["TooManyAuthFailures"];
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FrameUnreadable"] | components["schemas"]["InternalError"];
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DatabaseUnavailable"] | components["schemas"]["ServiceBusy"];
                };
            };
        };
    };
    rebakeFrames: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Blog id of the site. */
                site_id: number;
            };
            cookie?: never;
        };
        /** @description At most 1 MB. */
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "menus": true
                 *     }
                 */
                "application/json": {
                    /**
                     * @description All frames of the site.
                     * @default false
                     */
                    all?: boolean;
                    /**
                     * @description Frames that read one of these data sets.
                     * @default []
                     * @example [
                     *       "prices"
                     *     ]
                     */
                    datasets?: (string | number)[];
                    /**
                     * @description Report which frames would be built, but build nothing.
                     * @default false
                     */
                    dry_run?: boolean;
                    /**
                     * @description Frames that embed one of these, named by slug or id.
                     * @default []
                     * @example [
                     *       "site-header"
                     *     ]
                     */
                    frames?: (string | number)[];
                    /**
                     * @description Frames that show the languages of the site.
                     * @default false
                     */
                    languages?: boolean;
                    /**
                     * @description Frames that show menus.
                     * @default false
                     */
                    menus?: boolean;
                    /**
                     * @description Frames that show pages, their titles and addresses.
                     * @default false
                     */
                    pages?: boolean;
                    /**
                     * @description Frames that show settings of the site.
                     * @default false
                     */
                    settings?: boolean;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description The selected fields.
                         * @example {
                         *       "menus": true
                         *     }
                         */
                        changed: {
                            [key: string]: boolean | string[];
                        };
                        pending?: components["schemas"]["Pending"];
                        rebaked: components["schemas"]["Rebaked"];
                        republish: components["schemas"]["Republish"];
                        /**
                         * @description The site of the response.
                         * @example 2
                         */
                        site_id: number;
                        /** @constant */
                        success: true;
                    } | {
                        /**
                         * @description The selected fields.
                         * @example {
                         *       "menus": true
                         *     }
                         */
                        changed: {
                            [key: string]: boolean | string[];
                        };
                        /** @constant */
                        dry_run: true;
                        impact: components["schemas"]["ChangeImpact"];
                        /**
                         * @description The site of the response.
                         * @example 2
                         */
                        site_id: number;
                        /** @constant */
                        success: true;
                    };
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NothingToRebake"] | components["schemas"]["RestInvalidParam"] | components["schemas"]["RestInvalidJson"];
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MissingToken"] | components["schemas"]["InvalidToken"];
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InsufficientScope"];
                };
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SiteNotFound"] | components["schemas"]["RestNoRoute"];
                };
            };
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RestBodyTooLarge"];
                };
            };
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RestUnsupportedMediaType"];
                };
            };
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TooManyRequests"] | components["schemas"]["TooManyAuthFailures"];
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FrameUnreadable"] | components["schemas"]["InternalError"];
                };
            };
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InternalUnavailable"];
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DatabaseUnavailable"] | components["schemas"]["ServiceBusy"];
                };
            };
        };
    };
    getGraph: {
        parameters: {
            query?: {
                /** @description Id or slug of a frame. */
                frame?: string;
            };
            header?: {
                /** @description ETag of an earlier response; `304` means that the response is unchanged. */
                "If-None-Match"?: string;
            };
            path: {
                /** @description Blog id of the site. */
                site_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        edges: {
                            /** @example frame:5158798bd2006010 */
                            from: string;
                            /**
                             * @description A frame `embeds` a frame, `shows` a menu, `reads` data; a page `uses` a frame.
                             * @enum {string}
                             */
                            kind: "embeds" | "shows" | "reads" | "uses";
                            /** @example frame:5158798bd2006010 */
                            to: string;
                        }[];
                        frame: {
                            id: string;
                            slug: string;
                        } | null;
                        /** @description Only with `frame`. Each list has at most 200 entries. */
                        impact: components["schemas"]["FrameImpact"] | null;
                        nodes: components["schemas"]["GraphNode"][];
                        /**
                         * @description The site of the response.
                         * @example 2
                         */
                        site_id: number;
                        /** @constant */
                        success: true;
                        /** @description Frames of the site, or around the frame, and the pages that use them. */
                        totals: {
                            frames: number;
                            pages: number;
                        };
                        truncated: boolean;
                    };
                };
            };
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FrameRefRequired"] | components["schemas"]["RestInvalidParam"] | components["schemas"]["RestInvalidJson"];
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MissingToken"] | components["schemas"]["InvalidToken"];
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InsufficientScope"];
                };
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FrameNotFound"] | components["schemas"]["SiteNotFound"] | components["schemas"]["RestNoRoute"];
                };
            };
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RestBodyTooLarge"];
                };
            };
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RestUnsupportedMediaType"];
                };
            };
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TooManyRequests"] | components["schemas"]["TooManyAuthFailures"];
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InternalError"];
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DatabaseUnavailable"] | components["schemas"]["ServiceBusy"];
                };
            };
        };
    };
    listHistory: {
        parameters: {
            query?: {
                /** @description Only entries with this action. */
                action?: "created" | "replaced" | "renamed" | "deleted" | "assigned" | "cleared" | "issued" | "revoked" | "pruned" | "found" | "edited";
                /** @description `next_cursor` of the page before. */
                cursor?: number;
                /** @description Only entries of this kind. */
                kind?: "frame" | "menu" | "location" | "assignment" | "dataset" | "token" | "pruning";
                /** @description Entries on a page, at most 500; by default 50. */
                limit?: number;
                /** @description Only entries of the thing with this id, or with this name at the time. */
                ref?: string;
                /** @description Only what the request with this id wrote. */
                request?: string;
                /** @description Only entries from this time on. */
                since?: string;
                /** @description Only what was written with the token with this id. */
                token?: number;
                /** @description Only entries up to this time. */
                until?: string;
                /** @description Only what this user wrote. */
                user?: number;
            };
            header?: {
                /** @description ETag of an earlier response; `304` means that the response is unchanged. */
                "If-None-Match"?: string;
            };
            path: {
                /** @description Blog id of the site. */
                site_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Newest first. */
                        entries: components["schemas"]["HistoryEntry"][];
                        /** @description `cursor` of the next page; null on the last one. */
                        next_cursor: number | null;
                        /**
                         * @description The site of the response.
                         * @example 2
                         */
                        site_id: number;
                        /** @constant */
                        success: true;
                    };
                };
            };
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RestInvalidParam"] | components["schemas"]["RestInvalidJson"];
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MissingToken"] | components["schemas"]["InvalidToken"];
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InsufficientScope"];
                };
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SiteNotFound"] | components["schemas"]["RestNoRoute"];
                };
            };
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RestBodyTooLarge"];
                };
            };
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RestUnsupportedMediaType"];
                };
            };
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TooManyRequests"] | components["schemas"]["TooManyAuthFailures"];
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InternalError"];
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DatabaseUnavailable"] | components["schemas"]["ServiceBusy"];
                };
            };
        };
    };
    getHistoryEntry: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETag of an earlier response; `304` means that the response is unchanged. */
                "If-None-Match"?: string;
            };
            path: {
                /** @description The id of an entry. */
                entry: string;
                /** @description Blog id of the site. */
                site_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The state after; null if it does not exist. */
                        after: components["schemas"]["HistoryState"] | null;
                        /** @description The state before; null if it did not exist, or if the history no longer has it. */
                        before: components["schemas"]["HistoryState"] | null;
                        /** @description A unified diff of markup; for other things one line for each change. */
                        diff: string;
                        entry: components["schemas"]["HistoryEntry"];
                        /** @description The changes of the items of a menu. */
                        items?: components["schemas"]["MenuItemChange"][];
                        /**
                         * @description Something of the difference was left out, because it is too large.
                         * @constant
                         */
                        shortened?: true;
                        /**
                         * @description The site of the response.
                         * @example 2
                         */
                        site_id: number;
                        /** @constant */
                        success: true;
                    };
                };
            };
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RestInvalidParam"] | components["schemas"]["RestInvalidJson"];
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MissingToken"] | components["schemas"]["InvalidToken"];
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InsufficientScope"];
                };
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EntryNotFound"] | components["schemas"]["SiteNotFound"] | components["schemas"]["RestNoRoute"];
                };
            };
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RestBodyTooLarge"];
                };
            };
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RestUnsupportedMediaType"];
                };
            };
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TooManyRequests"] | components["schemas"]["TooManyAuthFailures"];
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InternalError"];
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DatabaseUnavailable"] | components["schemas"]["ServiceBusy"];
                };
            };
        };
    };
    listMenus: {
        parameters: {
            query?: {
                /** @description The theme whose locations are meant, by its folder name; by default the active theme. */
                theme?: string;
            };
            header?: {
                /** @description ETag of an earlier response; `304` means that the response is unchanged. */
                "If-None-Match"?: string;
            };
            path: {
                /** @description Blog id of the site. */
                site_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @example en */
                        default_lang: string | null;
                        /**
                         * @example [
                         *       "header",
                         *       "footer_1",
                         *       "footer_2",
                         *       "footer_3"
                         *     ]
                         */
                        locations: string[];
                        menus: {
                            assigned: {
                                /**
                                 * @description Null on a site without languages.
                                 * @example en
                                 */
                                lang: string | null;
                                /** @example header */
                                location: string;
                            }[];
                            /** @example 23 */
                            id: number;
                            /** @description Number of items. */
                            items: number;
                            /** @example Main menu */
                            name: string;
                            /** @example main-menu */
                            slug: string;
                        }[];
                        /** @example /site/2/data/menu.<location> */
                        read_items_at: string;
                        /**
                         * @description The site of the response.
                         * @example 2
                         */
                        site_id: number;
                        /** @constant */
                        success: true;
                        /** @example opal */
                        theme: string;
                        total: number;
                    };
                };
            };
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RestInvalidParam"] | components["schemas"]["RestInvalidJson"];
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MissingToken"] | components["schemas"]["InvalidToken"];
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InsufficientScope"];
                };
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SiteNotFound"] | components["schemas"]["RestNoRoute"];
                };
            };
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RestBodyTooLarge"];
                };
            };
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RestUnsupportedMediaType"];
                };
            };
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TooManyRequests"] | components["schemas"]["TooManyAuthFailures"];
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InternalError"];
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DatabaseUnavailable"] | components["schemas"]["ServiceBusy"];
                };
            };
        };
    };
    createMenu: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request safe to repeat: the same request with the same key gets the first answer for 24 hours, and is not run again. Any visible ASCII characters, such as a new UUID for each write. */
                "Idempotency-Key"?: string;
                /** @description ETag of an earlier read: if the frame or menu has changed since, the response is `412` and nothing is written. */
                "If-Match"?: string;
                /** @description `*`: if the frame or menu already exists, the response is `412` and nothing is written. */
                "If-None-Match"?: string;
            };
            path: {
                /** @description Blog id of the site. */
                site_id: number;
            };
            cookie?: never;
        };
        /** @description At most 16 MB. */
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "name": "Products",
                 *       "location": "footer_3",
                 *       "items": [
                 *         {
                 *           "page": "about-us",
                 *           "children": [
                 *             "about-us/team"
                 *           ]
                 *         },
                 *         {
                 *           "url": "/",
                 *           "title": "Top"
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": {
                    /**
                     * @description Leave out items on pages that are not published, with their descendants, instead of rejecting the tree.
                     * @default false
                     */
                    allow_invalid?: boolean;
                    /**
                     * @description A tree of at most 10000 items on at most 100 levels; a bare value is a link to a page.
                     * @example [
                     *       {
                     *         "page": "about-us",
                     *         "children": [
                     *           "about-us/team"
                     *         ]
                     *       },
                     *       {
                     *         "url": "/",
                     *         "title": "Top"
                     *       }
                     *     ]
                     */
                    items?: (components["schemas"]["MenuItemInput"] | (string | number))[];
                    /**
                     * @description Code of one of the site's languages, on a site with Polylang; by default its default language.
                     * @example fr
                     */
                    lang?: string;
                    /**
                     * @description A location of the theme.
                     * @example header
                     * @enum {string}
                     */
                    location?: "header" | "footer_1" | "footer_2" | "footer_3";
                    /**
                     * @description Name of the menu.
                     * @example Main menu
                     */
                    name: string;
                    /**
                     * @description By default derived from the name. If the slug is taken, a number is appended, with the warning `slug_changed`.
                     * @example main-menu
                     */
                    slug?: string;
                    /**
                     * @description The theme whose locations are meant, by its folder name; by default the active theme.
                     * @example opal
                     */
                    theme?: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Items that were left out. */
                        invalid: components["schemas"]["InvalidItem"][];
                        items: components["schemas"]["PlacedMenuItem"][];
                        menu: {
                            /** @example 23 */
                            id: number;
                            /** @description Number of items. */
                            items: number;
                            /** @example Main menu */
                            name: string;
                            /** @example main-menu */
                            slug: string;
                        };
                        pending?: components["schemas"]["Pending"];
                        rebaked: components["schemas"]["Rebaked"];
                        republish: components["schemas"]["Republish"];
                        /**
                         * @description The site of the response.
                         * @example 2
                         */
                        site_id: number;
                        /** @constant */
                        success: true;
                        /** @description The `theme` of the request; null if there was none. */
                        theme: string | null;
                        /**
                         * @example [
                         *       "slug_changed"
                         *     ]
                         */
                        warnings: string[];
                    };
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MenuNameRequired"] | components["schemas"]["BadItems"] | components["schemas"]["UnknownLocation"] | components["schemas"]["UnknownLanguage"] | components["schemas"]["RestInvalidParam"] | components["schemas"]["RestInvalidJson"];
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MissingToken"] | components["schemas"]["InvalidToken"];
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InsufficientScope"];
                };
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SiteNotFound"] | components["schemas"]["RestNoRoute"];
                };
            };
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MenuItemsUnresolved"] | components["schemas"]["MenuItemsInvalid"] | components["schemas"]["PolylangInactive"] | components["schemas"]["IdempotencyKeyReused"];
                };
            };
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PreconditionFailed"];
                };
            };
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IdempotentAnswerTooLarge"] | components["schemas"]["RestBodyTooLarge"];
                };
            };
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RestUnsupportedMediaType"];
                };
            };
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TooManyRequests"] | components["schemas"]["TooManyAuthFailures"];
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MenuAssignmentNotStored"] | components["schemas"]["InternalError"];
                };
            };
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InternalUnavailable"];
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DatabaseUnavailable"] | components["schemas"]["ServiceBusy"];
                };
            };
        };
    };
    getMenu: {
        parameters: {
            query?: {
                /** @description Reads the state at this moment: a time in ISO 8601 (GMT unless it has a zone), or the id of an entry of the history. */
                at?: string;
                /** @description Include where each item leads now, and what is wrong with it. Not with `at`. */
                links?: boolean;
            };
            header?: {
                /** @description ETag of an earlier response; `304` means that the response is unchanged. */
                "If-None-Match"?: string;
            };
            path: {
                /** @description A menu: its id, slug or name, or `~` and a location to which it is assigned (`~header` or `@header`), for which `lang` and `theme` select the language and the theme. */
                ref: string;
                /** @description Blog id of the site. */
                site_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description With `at`: the entry with this state; null if the menu has not been written since the history began. */
                        entry: components["schemas"]["HistoryEntry"] | null;
                        /** @description All items, in order. */
                        items: {
                            attr_title: string;
                            description: string;
                            id: number;
                            /** @description With `links`. */
                            link?: components["schemas"]["MenuItemLink"];
                            /** @example page */
                            object: string;
                            /** @description Id of the linked page or term. */
                            object_id: number;
                            order: number;
                            /** @description Id of the parent item; 0 at the top level. */
                            parent: number;
                            /** @example publish */
                            status: string;
                            target: string;
                            /** @description Empty if the item shows the title of what it links. */
                            title: string;
                            /** @example post_type */
                            type: string;
                            /** @description Only of a custom link. */
                            url: string;
                        }[];
                        menu: components["schemas"]["Menu"];
                        /**
                         * @description The site of the response.
                         * @example 2
                         */
                        site_id: number;
                        /** @constant */
                        success: true;
                    };
                };
            };
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RestInvalidParam"] | components["schemas"]["RestInvalidJson"];
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MissingToken"] | components["schemas"]["InvalidToken"];
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InsufficientScope"];
                };
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MenuNotFound"] | components["schemas"]["MenuNotAssigned"] | components["schemas"]["EntryNotFound"] | components["schemas"]["SiteNotFound"] | components["schemas"]["RestNoRoute"];
                };
            };
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AmbiguousMenu"];
                };
            };
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RestBodyTooLarge"];
                };
            };
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RestUnsupportedMediaType"];
                };
            };
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TooManyRequests"] | components["schemas"]["TooManyAuthFailures"];
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InternalError"];
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DatabaseUnavailable"] | components["schemas"]["ServiceBusy"];
                };
            };
        };
    };
    deleteMenu: {
        parameters: {
            query?: {
                /** @description Code of one of the site's languages, on a site with Polylang; by default its default language. */
                lang?: string;
                /** @description The theme whose locations are meant, by its folder name; by default the active theme. */
                theme?: string;
            };
            header?: {
                /** @description Makes the request safe to repeat: the same request with the same key gets the first answer for 24 hours, and is not run again. Any visible ASCII characters, such as a new UUID for each write. */
                "Idempotency-Key"?: string;
                /** @description ETag of an earlier read: if the frame or menu has changed since, the response is `412` and nothing is written. */
                "If-Match"?: string;
                /** @description `*`: if the frame or menu already exists, the response is `412` and nothing is written. */
                "If-None-Match"?: string;
            };
            path: {
                /** @description A menu: its id, slug or name, or `~` and a location to which it is assigned (`~header` or `@header`), for which `lang` and `theme` select the language and the theme. */
                ref: string;
                /** @description Blog id of the site. */
                site_id: number;
            };
            cookie?: never;
        };
        /** @description At most 1 MB. */
        requestBody?: {
            content: {
                "application/json": {
                    /**
                     * @description Code of one of the site's languages, on a site with Polylang; by default its default language.
                     * @example fr
                     */
                    lang?: string;
                    /**
                     * @description The theme whose locations are meant, by its folder name; by default the active theme.
                     * @example opal
                     */
                    theme?: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        deleted: components["schemas"]["Menu"];
                        freed_locations: {
                            /**
                             * @description Null on a site without languages.
                             * @example en
                             */
                            lang: string | null;
                            /** @example header */
                            location: string;
                            theme: string;
                        }[];
                        pending?: components["schemas"]["Pending"];
                        rebaked: components["schemas"]["Rebaked"];
                        removed_items: number;
                        republish: components["schemas"]["Republish"];
                        /**
                         * @description The site of the response.
                         * @example 2
                         */
                        site_id: number;
                        /** @constant */
                        success: true;
                    };
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnknownLanguage"] | components["schemas"]["RestInvalidParam"] | components["schemas"]["RestInvalidJson"];
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MissingToken"] | components["schemas"]["InvalidToken"];
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InsufficientScope"];
                };
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MenuNotFound"] | components["schemas"]["MenuNotAssigned"] | components["schemas"]["SiteNotFound"] | components["schemas"]["RestNoRoute"];
                };
            };
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AmbiguousMenu"] | components["schemas"]["PolylangInactive"] | components["schemas"]["IdempotencyKeyReused"];
                };
            };
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PreconditionFailed"];
                };
            };
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IdempotentAnswerTooLarge"] | components["schemas"]["RestBodyTooLarge"];
                };
            };
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RestUnsupportedMediaType"];
                };
            };
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TooManyRequests"] | components["schemas"]["TooManyAuthFailures"];
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MenuAssignmentNotStored"] | components["schemas"]["InternalError"];
                };
            };
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InternalUnavailable"];
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DatabaseUnavailable"] | components["schemas"]["ServiceBusy"];
                };
            };
        };
    };
    renameMenu: {
        parameters: {
            query?: {
                /** @description Code of one of the site's languages, on a site with Polylang; by default its default language. */
                lang?: string;
                /** @description The theme whose locations are meant, by its folder name; by default the active theme. */
                theme?: string;
            };
            header?: {
                /** @description Makes the request safe to repeat: the same request with the same key gets the first answer for 24 hours, and is not run again. Any visible ASCII characters, such as a new UUID for each write. */
                "Idempotency-Key"?: string;
                /** @description ETag of an earlier read: if the frame or menu has changed since, the response is `412` and nothing is written. */
                "If-Match"?: string;
                /** @description `*`: if the frame or menu already exists, the response is `412` and nothing is written. */
                "If-None-Match"?: string;
            };
            path: {
                /** @description A menu: its id, slug or name, or `~` and a location to which it is assigned (`~header` or `@header`), for which `lang` and `theme` select the language and the theme. */
                ref: string;
                /** @description Blog id of the site. */
                site_id: number;
            };
            cookie?: never;
        };
        /** @description At most 1 MB. */
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "name": "Main navigation"
                 *     }
                 */
                "application/json": {
                    /**
                     * @description Code of one of the site's languages, on a site with Polylang; by default its default language.
                     * @example fr
                     */
                    lang?: string;
                    /**
                     * @description Name of the menu.
                     * @example Main menu
                     */
                    name?: string;
                    /**
                     * @description By default derived from the name. If the slug is taken, a number is appended, with the warning `slug_changed`.
                     * @example main-menu
                     */
                    slug?: string;
                    /**
                     * @description The theme whose locations are meant, by its folder name; by default the active theme.
                     * @example opal
                     */
                    theme?: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        menu: {
                            count: number;
                            /** @example 23 */
                            id: number;
                            /** @example Main menu */
                            name: string;
                            /** @example main-menu */
                            slug: string;
                            term_taxonomy_id: number;
                        };
                        /**
                         * @description The site of the response.
                         * @example 2
                         */
                        site_id: number;
                        /** @constant */
                        success: true;
                        /**
                         * @example [
                         *       "slug_changed"
                         *     ]
                         */
                        warnings: string[];
                    };
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NothingToUpdate"] | components["schemas"]["MenuNameRequired"] | components["schemas"]["UnknownLanguage"] | components["schemas"]["RestInvalidParam"] | components["schemas"]["RestInvalidJson"];
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MissingToken"] | components["schemas"]["InvalidToken"];
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InsufficientScope"];
                };
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MenuNotFound"] | components["schemas"]["MenuNotAssigned"] | components["schemas"]["SiteNotFound"] | components["schemas"]["RestNoRoute"];
                };
            };
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AmbiguousMenu"] | components["schemas"]["PolylangInactive"] | components["schemas"]["IdempotencyKeyReused"];
                };
            };
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PreconditionFailed"];
                };
            };
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IdempotentAnswerTooLarge"] | components["schemas"]["RestBodyTooLarge"];
                };
            };
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RestUnsupportedMediaType"];
                };
            };
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TooManyRequests"] | components["schemas"]["TooManyAuthFailures"];
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InternalError"];
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DatabaseUnavailable"] | components["schemas"]["ServiceBusy"];
                };
            };
        };
    };
    replaceMenuItems: {
        parameters: {
            query?: {
                /** @description Code of one of the site's languages, on a site with Polylang; by default its default language. */
                lang?: string;
                /** @description The theme whose locations are meant, by its folder name; by default the active theme. */
                theme?: string;
            };
            header?: {
                /** @description Makes the request safe to repeat: the same request with the same key gets the first answer for 24 hours, and is not run again. Any visible ASCII characters, such as a new UUID for each write. */
                "Idempotency-Key"?: string;
                /** @description ETag of an earlier read: if the frame or menu has changed since, the response is `412` and nothing is written. */
                "If-Match"?: string;
                /** @description `*`: if the frame or menu already exists, the response is `412` and nothing is written. */
                "If-None-Match"?: string;
            };
            path: {
                /** @description A menu: its id, slug or name, or `~` and a location to which it is assigned (`~header` or `@header`), for which `lang` and `theme` select the language and the theme. */
                ref: string;
                /** @description Blog id of the site. */
                site_id: number;
            };
            cookie?: never;
        };
        /** @description At most 16 MB. */
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "items": [
                 *         "home",
                 *         {
                 *           "page": "about-us",
                 *           "children": [
                 *             "about-us/team"
                 *           ]
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": {
                    /**
                     * @description Leave out items on pages that are not published, with their descendants, instead of rejecting the tree.
                     * @default false
                     */
                    allow_invalid?: boolean;
                    /**
                     * @description A tree of at most 10000 items on at most 100 levels; a bare value is a link to a page.
                     * @example [
                     *       {
                     *         "page": "about-us",
                     *         "children": [
                     *           "about-us/team"
                     *         ]
                     *       },
                     *       {
                     *         "url": "/",
                     *         "title": "Top"
                     *       }
                     *     ]
                     */
                    items: (components["schemas"]["MenuItemInput"] | (string | number))[];
                    /**
                     * @description Code of one of the site's languages, on a site with Polylang; by default its default language.
                     * @example fr
                     */
                    lang?: string;
                    /**
                     * @description The theme whose locations are meant, by its folder name; by default the active theme.
                     * @example opal
                     */
                    theme?: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Items that were left out. */
                        invalid: components["schemas"]["InvalidItem"][];
                        items: components["schemas"]["PlacedMenuItem"][];
                        menu: components["schemas"]["Menu"];
                        pending?: components["schemas"]["Pending"];
                        /** @example /site/2/data/menu.<location> */
                        read_items_at: string;
                        rebaked: components["schemas"]["Rebaked"];
                        republish: components["schemas"]["Republish"];
                        /**
                         * @description The site of the response.
                         * @example 2
                         */
                        site_id: number;
                        /** @constant */
                        success: true;
                        total: number;
                    };
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BadItems"] | components["schemas"]["UnknownLanguage"] | components["schemas"]["RestInvalidParam"] | components["schemas"]["RestInvalidJson"];
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MissingToken"] | components["schemas"]["InvalidToken"];
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InsufficientScope"];
                };
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MenuNotFound"] | components["schemas"]["MenuNotAssigned"] | components["schemas"]["SiteNotFound"] | components["schemas"]["RestNoRoute"];
                };
            };
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MenuItemsUnresolved"] | components["schemas"]["MenuItemsInvalid"] | components["schemas"]["AmbiguousMenu"] | components["schemas"]["PolylangInactive"] | components["schemas"]["IdempotencyKeyReused"];
                };
            };
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PreconditionFailed"];
                };
            };
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IdempotentAnswerTooLarge"] | components["schemas"]["RestBodyTooLarge"];
                };
            };
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RestUnsupportedMediaType"];
                };
            };
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TooManyRequests"] | components["schemas"]["TooManyAuthFailures"];
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InternalError"];
                };
            };
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InternalUnavailable"];
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DatabaseUnavailable"] | components["schemas"]["ServiceBusy"];
                };
            };
        };
    };
    addMenuItem: {
        parameters: {
            query?: {
                /** @description Code of one of the site's languages, on a site with Polylang; by default its default language. */
                lang?: string;
                /** @description The theme whose locations are meant, by its folder name; by default the active theme. */
                theme?: string;
            };
            header?: {
                /** @description Makes the request safe to repeat: the same request with the same key gets the first answer for 24 hours, and is not run again. Any visible ASCII characters, such as a new UUID for each write. */
                "Idempotency-Key"?: string;
                /** @description ETag of an earlier read: if the frame or menu has changed since, the response is `412` and nothing is written. */
                "If-Match"?: string;
                /** @description `*`: if the frame or menu already exists, the response is `412` and nothing is written. */
                "If-None-Match"?: string;
            };
            path: {
                /** @description A menu: its id, slug or name, or `~` and a location to which it is assigned (`~header` or `@header`), for which `lang` and `theme` select the language and the theme. */
                ref: string;
                /** @description Blog id of the site. */
                site_id: number;
            };
            cookie?: never;
        };
        /** @description At most 1 MB. */
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "page": "about-us/team",
                 *       "title": "Our team"
                 *     }
                 */
                "application/json": {
                    /** @description The child items. */
                    children?: (components["schemas"]["MenuItemInput"] | (string | number))[];
                    /** @description At most 100, separated by spaces. */
                    classes?: string;
                    item?: components["schemas"]["MenuItemInput"];
                    /**
                     * @description Code of one of the site's languages, on a site with Polylang; by default its default language.
                     * @example fr
                     */
                    lang?: string;
                    /**
                     * @description A page: its id, slug or path.
                     * @example about-us/team
                     */
                    page?: string | number;
                    /**
                     * @description Id of the parent item; 0 for the top level.
                     * @example 0
                     */
                    parent?: number;
                    /** @description `_blank`, or empty. */
                    target?: string;
                    /**
                     * @description The theme whose locations are meant, by its folder name; by default the active theme.
                     * @example opal
                     */
                    theme?: string;
                    /**
                     * @description By default the title of the page, or the address.
                     * @example Team
                     */
                    title?: string;
                    /**
                     * @description An address. A path is prefixed with the site's address, unless an item of the menu has the same path already.
                     * @example https://example.com/
                     */
                    url?: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        item: components["schemas"]["MenuItem"];
                        menu: {
                            /** @example 23 */
                            id: number;
                            /** @example Main menu */
                            name: string;
                        };
                        pending?: components["schemas"]["Pending"];
                        rebaked: components["schemas"]["Rebaked"];
                        republish: components["schemas"]["Republish"];
                        /**
                         * @description The site of the response.
                         * @example 2
                         */
                        site_id: number;
                        /** @constant */
                        success: true;
                        /** @description Number of items of the menu. */
                        total: number;
                    };
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ItemTargetRequired"] | components["schemas"]["BadItems"] | components["schemas"]["UnknownLanguage"] | components["schemas"]["RestInvalidParam"] | components["schemas"]["RestInvalidJson"];
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MissingToken"] | components["schemas"]["InvalidToken"];
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InsufficientScope"];
                };
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PageNotFound"] | components["schemas"]["ItemNotFound"] | components["schemas"]["MenuNotFound"] | components["schemas"]["MenuNotAssigned"] | components["schemas"]["SiteNotFound"] | components["schemas"]["RestNoRoute"];
                };
            };
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AmbiguousPage"] | components["schemas"]["MenuItemsInvalid"] | components["schemas"]["AmbiguousMenu"] | components["schemas"]["PolylangInactive"] | components["schemas"]["IdempotencyKeyReused"];
                };
            };
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PreconditionFailed"];
                };
            };
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IdempotentAnswerTooLarge"] | components["schemas"]["RestBodyTooLarge"];
                };
            };
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RestUnsupportedMediaType"];
                };
            };
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TooManyRequests"] | components["schemas"]["TooManyAuthFailures"];
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InternalError"];
                };
            };
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InternalUnavailable"];
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DatabaseUnavailable"] | components["schemas"]["ServiceBusy"];
                };
            };
        };
    };
    removeMenuItem: {
        parameters: {
            query?: {
                /** @description Code of one of the site's languages, on a site with Polylang; by default its default language. */
                lang?: string;
                /** @description The theme whose locations are meant, by its folder name; by default the active theme. */
                theme?: string;
            };
            header?: {
                /** @description Makes the request safe to repeat: the same request with the same key gets the first answer for 24 hours, and is not run again. Any visible ASCII characters, such as a new UUID for each write. */
                "Idempotency-Key"?: string;
                /** @description ETag of an earlier read: if the frame or menu has changed since, the response is `412` and nothing is written. */
                "If-Match"?: string;
                /** @description `*`: if the frame or menu already exists, the response is `412` and nothing is written. */
                "If-None-Match"?: string;
            };
            path: {
                /** @description Id of an item. */
                id: number;
                /** @description A menu: its id, slug or name, or `~` and a location to which it is assigned (`~header` or `@header`), for which `lang` and `theme` select the language and the theme. */
                ref: string;
                /** @description Blog id of the site. */
                site_id: number;
            };
            cookie?: never;
        };
        /** @description At most 1 MB. */
        requestBody?: {
            content: {
                "application/json": {
                    /**
                     * @description Code of one of the site's languages, on a site with Polylang; by default its default language.
                     * @example fr
                     */
                    lang?: string;
                    /**
                     * @description The theme whose locations are meant, by its folder name; by default the active theme.
                     * @example opal
                     */
                    theme?: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        menu: {
                            /** @example 23 */
                            id: number;
                            /** @example Main menu */
                            name: string;
                        };
                        pending?: components["schemas"]["Pending"];
                        rebaked: components["schemas"]["Rebaked"];
                        /**
                         * @description Ids of items.
                         * @example [
                         *       41,
                         *       42
                         *     ]
                         */
                        removed: number[];
                        republish: components["schemas"]["Republish"];
                        /**
                         * @description The site of the response.
                         * @example 2
                         */
                        site_id: number;
                        /** @constant */
                        success: true;
                        /** @description Number of remaining items. */
                        total: number;
                    };
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnknownLanguage"] | components["schemas"]["RestInvalidParam"] | components["schemas"]["RestInvalidJson"];
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MissingToken"] | components["schemas"]["InvalidToken"];
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InsufficientScope"];
                };
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ItemNotFound"] | components["schemas"]["MenuNotFound"] | components["schemas"]["MenuNotAssigned"] | components["schemas"]["SiteNotFound"] | components["schemas"]["RestNoRoute"];
                };
            };
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AmbiguousMenu"] | components["schemas"]["PolylangInactive"] | components["schemas"]["IdempotencyKeyReused"];
                };
            };
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PreconditionFailed"];
                };
            };
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IdempotentAnswerTooLarge"] | components["schemas"]["RestBodyTooLarge"];
                };
            };
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RestUnsupportedMediaType"];
                };
            };
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TooManyRequests"] | components["schemas"]["TooManyAuthFailures"];
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InternalError"];
                };
            };
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InternalUnavailable"];
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DatabaseUnavailable"] | components["schemas"]["ServiceBusy"];
                };
            };
        };
    };
    updateMenuItem: {
        parameters: {
            query?: {
                /** @description Code of one of the site's languages, on a site with Polylang; by default its default language. */
                lang?: string;
                /** @description The theme whose locations are meant, by its folder name; by default the active theme. */
                theme?: string;
            };
            header?: {
                /** @description Makes the request safe to repeat: the same request with the same key gets the first answer for 24 hours, and is not run again. Any visible ASCII characters, such as a new UUID for each write. */
                "Idempotency-Key"?: string;
                /** @description ETag of an earlier read: if the frame or menu has changed since, the response is `412` and nothing is written. */
                "If-Match"?: string;
                /** @description `*`: if the frame or menu already exists, the response is `412` and nothing is written. */
                "If-None-Match"?: string;
            };
            path: {
                /** @description Id of an item. */
                id: number;
                /** @description A menu: its id, slug or name, or `~` and a location to which it is assigned (`~header` or `@header`), for which `lang` and `theme` select the language and the theme. */
                ref: string;
                /** @description Blog id of the site. */
                site_id: number;
            };
            cookie?: never;
        };
        /** @description At most 1 MB. */
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "title": "Our team",
                 *       "parent": 0
                 *     }
                 */
                "application/json": {
                    /**
                     * @description At most 100, separated by spaces.
                     * @example wide
                     */
                    classes?: string | null;
                    /**
                     * @description Code of one of the site's languages, on a site with Polylang; by default its default language.
                     * @example fr
                     */
                    lang?: string;
                    /**
                     * @description Link this page instead: its id, slug or path.
                     * @example about-us/team
                     */
                    page?: string | number;
                    /**
                     * @description Id of the parent item; 0 for the top level.
                     * @example 0
                     */
                    parent?: number;
                    /**
                     * @description `_blank`, or empty.
                     * @example _blank
                     */
                    target?: string | null;
                    /**
                     * @description The theme whose locations are meant, by its folder name; by default the active theme.
                     * @example opal
                     */
                    theme?: string;
                    /**
                     * @description Null or an empty text: the item shows the title of the linked object.
                     * @example Our team
                     */
                    title?: string | null;
                    /** @description Link this address instead. `page` takes precedence, with the warning `url_ignored`. */
                    url?: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The current value of each field; a changed field is `{from, to}`. */
                        item: {
                            classes: string | {
                                from: string;
                                to: string;
                            };
                            /** @example 41 */
                            id: number;
                            order: number | {
                                /** @description Position in the whole tree, from 1. */
                                from: number;
                                /** @description Position in the whole tree, from 1. */
                                to: number;
                            };
                            page: (number | null) | {
                                /**
                                 * @description Id of the linked page; null for other items.
                                 * @example 10
                                 */
                                from: number | null;
                                /**
                                 * @description Id of the linked page; null for other items.
                                 * @example 10
                                 */
                                to: number | null;
                            };
                            parent: number | {
                                /** @description Id of the parent item; 0 at the top level. */
                                from: number;
                                /** @description Id of the parent item; 0 at the top level. */
                                to: number;
                            };
                            target: string | {
                                from: string;
                                to: string;
                            };
                            title: string | {
                                /**
                                 * @description As stored: HTML, in which `&amp;` is an ampersand.
                                 * @example Team
                                 */
                                from: string;
                                /**
                                 * @description As stored: HTML, in which `&amp;` is an ampersand.
                                 * @example Team
                                 */
                                to: string;
                            };
                            type: ("post_type" | "custom" | "taxonomy" | "post_type_archive") | {
                                /** @enum {string} */
                                from: "post_type" | "custom" | "taxonomy" | "post_type_archive";
                                /** @enum {string} */
                                to: "post_type" | "custom" | "taxonomy" | "post_type_archive";
                            };
                            url: string | {
                                /** @example http://net.test/shop/about-us/team/ */
                                from: string;
                                /** @example http://net.test/shop/about-us/team/ */
                                to: string;
                            };
                            valid: boolean | {
                                /** @description False if visitors do not see the item. */
                                from: boolean;
                                /** @description False if visitors do not see the item. */
                                to: boolean;
                            };
                        };
                        menu: {
                            /** @example 23 */
                            id: number;
                            /** @example Main menu */
                            name: string;
                        };
                        pending?: components["schemas"]["Pending"];
                        rebaked: components["schemas"]["Rebaked"];
                        republish: components["schemas"]["Republish"];
                        /**
                         * @description The site of the response.
                         * @example 2
                         */
                        site_id: number;
                        /** @constant */
                        success: true;
                        warnings: string[];
                    };
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NothingToUpdate"] | components["schemas"]["ItemTargetRequired"] | components["schemas"]["BadItems"] | components["schemas"]["UnknownLanguage"] | components["schemas"]["RestInvalidParam"] | components["schemas"]["RestInvalidJson"];
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MissingToken"] | components["schemas"]["InvalidToken"];
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InsufficientScope"];
                };
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PageNotFound"] | components["schemas"]["ItemNotFound"] | components["schemas"]["MenuNotFound"] | components["schemas"]["MenuNotAssigned"] | components["schemas"]["SiteNotFound"] | components["schemas"]["RestNoRoute"];
                };
            };
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AmbiguousPage"] | components["schemas"]["MenuItemsInvalid"] | components["schemas"]["BadParent"] | components["schemas"]["AmbiguousMenu"] | components["schemas"]["PolylangInactive"] | components["schemas"]["IdempotencyKeyReused"];
                };
            };
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PreconditionFailed"];
                };
            };
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IdempotentAnswerTooLarge"] | components["schemas"]["RestBodyTooLarge"];
                };
            };
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RestUnsupportedMediaType"];
                };
            };
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TooManyRequests"] | components["schemas"]["TooManyAuthFailures"];
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InternalError"];
                };
            };
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InternalUnavailable"];
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DatabaseUnavailable"] | components["schemas"]["ServiceBusy"];
                };
            };
        };
    };
    assignMenuLocation: {
        parameters: {
            query?: {
                /** @description Code of one of the site's languages, on a site with Polylang; by default its default language. */
                lang?: string;
                /** @description The theme whose locations are meant, by its folder name; by default the active theme. */
                theme?: string;
            };
            header?: {
                /** @description Makes the request safe to repeat: the same request with the same key gets the first answer for 24 hours, and is not run again. Any visible ASCII characters, such as a new UUID for each write. */
                "Idempotency-Key"?: string;
                /** @description ETag of an earlier read: if the frame or menu has changed since, the response is `412` and nothing is written. */
                "If-Match"?: string;
                /** @description `*`: if the frame or menu already exists, the response is `412` and nothing is written. */
                "If-None-Match"?: string;
            };
            path: {
                /** @description A menu: its id, slug or name, or `~` and a location to which it is assigned (`~header` or `@header`), for which `lang` and `theme` select the language and the theme. */
                ref: string;
                /** @description Blog id of the site. */
                site_id: number;
            };
            cookie?: never;
        };
        /** @description At most 1 MB. */
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "location": "header",
                 *       "lang": "fr"
                 *     }
                 */
                "application/json": {
                    /**
                     * @description Code of one of the site's languages, on a site with Polylang; by default its default language.
                     * @example fr
                     */
                    lang?: string;
                    /**
                     * @description A location of the theme.
                     * @example header
                     * @enum {string}
                     */
                    location: "header" | "footer_1" | "footer_2" | "footer_3";
                    /**
                     * @description The theme whose locations are meant, by its folder name; by default the active theme.
                     * @example opal
                     */
                    theme?: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        assigned: {
                            /**
                             * @description Null on a site without languages.
                             * @example en
                             */
                            lang: string | null;
                            /** @example header */
                            location: string;
                        }[];
                        /** @example en */
                        lang: string | null;
                        /** @example header */
                        location: string;
                        menu: components["schemas"]["Menu"];
                        pending?: components["schemas"]["Pending"];
                        rebaked: components["schemas"]["Rebaked"];
                        republish: components["schemas"]["Republish"];
                        /**
                         * @description The site of the response.
                         * @example 2
                         */
                        site_id: number;
                        /** @constant */
                        success: true;
                        /** @example opal */
                        theme: string;
                        warnings: string[];
                    };
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LocationRequired"] | components["schemas"]["UnknownLocation"] | components["schemas"]["UnknownLanguage"] | components["schemas"]["RestInvalidParam"] | components["schemas"]["RestInvalidJson"];
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MissingToken"] | components["schemas"]["InvalidToken"];
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InsufficientScope"];
                };
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MenuNotFound"] | components["schemas"]["MenuNotAssigned"] | components["schemas"]["SiteNotFound"] | components["schemas"]["RestNoRoute"];
                };
            };
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AmbiguousMenu"] | components["schemas"]["PolylangInactive"] | components["schemas"]["IdempotencyKeyReused"];
                };
            };
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PreconditionFailed"];
                };
            };
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IdempotentAnswerTooLarge"] | components["schemas"]["RestBodyTooLarge"];
                };
            };
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RestUnsupportedMediaType"];
                };
            };
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TooManyRequests"] | components["schemas"]["TooManyAuthFailures"];
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MenuAssignmentNotStored"] | components["schemas"]["InternalError"];
                };
            };
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InternalUnavailable"];
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DatabaseUnavailable"] | components["schemas"]["ServiceBusy"];
                };
            };
        };
    };
    reorderMenuItems: {
        parameters: {
            query?: {
                /** @description Code of one of the site's languages, on a site with Polylang; by default its default language. */
                lang?: string;
                /** @description The theme whose locations are meant, by its folder name; by default the active theme. */
                theme?: string;
            };
            header?: {
                /** @description Makes the request safe to repeat: the same request with the same key gets the first answer for 24 hours, and is not run again. Any visible ASCII characters, such as a new UUID for each write. */
                "Idempotency-Key"?: string;
                /** @description ETag of an earlier read: if the frame or menu has changed since, the response is `412` and nothing is written. */
                "If-Match"?: string;
                /** @description `*`: if the frame or menu already exists, the response is `412` and nothing is written. */
                "If-None-Match"?: string;
            };
            path: {
                /** @description A menu: its id, slug or name, or `~` and a location to which it is assigned (`~header` or `@header`), for which `lang` and `theme` select the language and the theme. */
                ref: string;
                /** @description Blog id of the site. */
                site_id: number;
            };
            cookie?: never;
        };
        /** @description At most 1 MB. */
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "order": [
                 *         42,
                 *         41
                 *       ]
                 *     }
                 */
                "application/json": {
                    /**
                     * @description Code of one of the site's languages, on a site with Polylang; by default its default language.
                     * @example fr
                     */
                    lang?: string;
                    /**
                     * @description Ids of items of one level in their new order. Items that are not named follow them.
                     * @example [
                     *       41,
                     *       40
                     *     ]
                     */
                    order: number[];
                    /**
                     * @description Id of the parent item of that level; 0 for the top level.
                     * @default 0
                     * @example 0
                     */
                    parent?: number;
                    /**
                     * @description The theme whose locations are meant, by its folder name; by default the active theme.
                     * @example opal
                     */
                    theme?: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Items that were not named. */
                        appended: number[];
                        menu: {
                            /** @example 23 */
                            id: number;
                            /** @example Main menu */
                            name: string;
                        };
                        /** @description The whole level. */
                        order: number[];
                        parent: number;
                        pending?: components["schemas"]["Pending"];
                        rebaked: components["schemas"]["Rebaked"];
                        republish: components["schemas"]["Republish"];
                        /**
                         * @description The site of the response.
                         * @example 2
                         */
                        site_id: number;
                        /** @constant */
                        success: true;
                    };
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BadReorder"] | components["schemas"]["UnknownLanguage"] | components["schemas"]["RestInvalidParam"] | components["schemas"]["RestInvalidJson"];
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MissingToken"] | components["schemas"]["InvalidToken"];
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InsufficientScope"];
                };
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ItemNotFound"] | components["schemas"]["MenuNotFound"] | components["schemas"]["MenuNotAssigned"] | components["schemas"]["SiteNotFound"] | components["schemas"]["RestNoRoute"];
                };
            };
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AmbiguousMenu"] | components["schemas"]["PolylangInactive"] | components["schemas"]["IdempotencyKeyReused"];
                };
            };
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PreconditionFailed"];
                };
            };
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IdempotentAnswerTooLarge"] | components["schemas"]["RestBodyTooLarge"];
                };
            };
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RestUnsupportedMediaType"];
                };
            };
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TooManyRequests"] | components["schemas"]["TooManyAuthFailures"];
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InternalError"];
                };
            };
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InternalUnavailable"];
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DatabaseUnavailable"] | components["schemas"]["ServiceBusy"];
                };
            };
        };
    };
    listPages: {
        parameters: {
            query?: {
                /** @description `next` of the page before. */
                after?: number;
                /** @description Only pages that use this frame: its id or slug. */
                frame?: string;
                /** @description Code of one of the site's languages, on a site with Polylang; by default its default language. */
                lang?: string;
                /** @description Pages on a page, at most 200; by default 50. */
                limit?: number;
                /** @description Only pages whose title or slug contains this text, or whose id it is. */
                search?: string;
            };
            header?: {
                /** @description ETag of an earlier response; `304` means that the response is unchanged. */
                "If-None-Match"?: string;
            };
            path: {
                /** @description Blog id of the site. */
                site_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description `after` of the next page; null on the last one. */
                        next: number | null;
                        pages: components["schemas"]["Page"][];
                        /**
                         * @description The site of the response.
                         * @example 2
                         */
                        site_id: number;
                        /** @constant */
                        success: true;
                        /** @description Pages that were selected, on all pages of the list. */
                        total: number;
                    };
                };
            };
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FrameRefRequired"] | components["schemas"]["UnknownLanguage"] | components["schemas"]["RestInvalidParam"] | components["schemas"]["RestInvalidJson"];
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MissingToken"] | components["schemas"]["InvalidToken"];
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InsufficientScope"];
                };
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FrameNotFound"] | components["schemas"]["SiteNotFound"] | components["schemas"]["RestNoRoute"];
                };
            };
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PolylangInactive"];
                };
            };
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RestBodyTooLarge"];
                };
            };
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RestUnsupportedMediaType"];
                };
            };
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TooManyRequests"] | components["schemas"]["TooManyAuthFailures"];
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InternalError"];
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DatabaseUnavailable"] | components["schemas"]["ServiceBusy"];
                };
            };
        };
    };
    previewPage: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETag of an earlier read: if the frame or menu has changed since, the response is `412` and nothing is written. */
                "If-Match"?: string;
                /** @description `*`: if the frame or menu already exists, the response is `412` and nothing is written. */
                "If-None-Match"?: string;
            };
            path: {
                /** @description Blog id of the site. */
                site_id: number;
            };
            cookie?: never;
        };
        /** @description At most 16 MB. */
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "page": "about-us",
                 *       "frames": [
                 *         {
                 *           "slug": "site-header",
                 *           "html": "<header></header>"
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": {
                    /** @description The slug or id of a frame: previews the page with it, instead of its own. */
                    assign?: string;
                    /**
                     * @description Data sets with other data.
                     * @default []
                     */
                    datasets?: {
                        /** @example news */
                        name: string;
                        /** @description The data; null: the data set does not exist. */
                        value: unknown;
                    }[];
                    /**
                     * @description Frames with new markup, and new frames.
                     * @default []
                     */
                    frames?: {
                        /**
                         * @description The markup, at most 2 MB (2,097,152 bytes). Required, under this name or another one.
                         * @example <header><!-- svc/menu {"location":"header"} /--></header>
                         */
                        html?: string;
                        /**
                         * @description `block__element--modifier`, unique on the site; converted to lower case.
                         * @example site-header
                         */
                        slug?: string;
                    }[];
                    /**
                     * @description Previews the translation of the page in this language.
                     * @example fr
                     */
                    lang?: string;
                    /**
                     * @description Menus with other items.
                     * @default []
                     */
                    menus?: {
                        /**
                         * @description Leave out items on pages that are not published, with their descendants, instead of rejecting the tree.
                         * @default false
                         */
                        allow_invalid?: boolean;
                        /**
                         * @description A tree of at most 10000 items on at most 100 levels; a bare value is a link to a page.
                         * @example [
                         *       {
                         *         "page": "about-us",
                         *         "children": [
                         *           "about-us/team"
                         *         ]
                         *       },
                         *       {
                         *         "url": "/",
                         *         "title": "Top"
                         *       }
                         *     ]
                         */
                        items?: (components["schemas"]["MenuItemInput"] | (string | number))[];
                        /**
                         * @description Code of one of the site's languages, on a site with Polylang; by default its default language.
                         * @example fr
                         */
                        lang?: string;
                        /**
                         * @description A menu: its id, slug or name, or `~` and a location to which it is assigned (`~header` or `@header`), for which `lang` and `theme` select the language and the theme.
                         * @example ~header
                         */
                        menu: string;
                        /**
                         * @description The theme whose locations are meant, by its folder name; by default the active theme.
                         * @example opal
                         */
                        theme?: string;
                    }[];
                    /**
                     * @description The page: its id, slug or path, or `/` for the front page. It may be a draft.
                     * @example about-us/team
                     */
                    page: string | number;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The frames that would be baked again, at most 500, by slug. */
                        affected_frames: {
                            items: {
                                /**
                                 * @description What it shows; `unsaved` if it is one of `frames`.
                                 * @example [
                                 *       "menus"
                                 *     ]
                                 */
                                because: string[];
                                id: string;
                                slug: string;
                            }[];
                            total: number;
                        };
                        /** @description The pages that would be built again, at most 500, by id: those that visitors see. Some may stay as they are. */
                        affected_pages: {
                            items: {
                                id: number;
                                lang: string | null;
                                /** @example about-us/team */
                                path: string;
                                /** @example publish */
                                status: string;
                                /**
                                 * @description As stored; HTML.
                                 * @example Team
                                 */
                                title: string;
                                /** @example http://net.test/shop/about-us/team/ */
                                url: string;
                            }[];
                            total: number;
                        };
                        /** @description The frame that the page is built from. */
                        frame: {
                            id: string;
                            slug: string;
                        };
                        /** @description What a write of each unsaved frame returns, with the problems of its markup. */
                        frames: {
                            /** @description False in a dry run. */
                            applied: boolean;
                            /** @description Missing in a dry run. */
                            bake?: components["schemas"]["Bake"];
                            binds: number;
                            /** @description Only in a dry run. */
                            dry_run?: boolean;
                            frame: components["schemas"]["Frame"];
                            /**
                             * @description Slugs of the frames that the frame embeds.
                             * @example [
                             *       "card"
                             *     ]
                             */
                            frame_refs: string[];
                            /** @description Embedded frames that do not exist; they print nothing. */
                            frame_refs_missing: string[];
                            has_body: boolean;
                            has_doctype: boolean;
                            /**
                             * @description Number of inserts by kind.
                             * @example {
                             *       "op/menu": 1
                             *     }
                             */
                            inserts: {
                                [key: string]: number;
                            };
                            inserts_total: number;
                            /**
                             * @description Why the frame depends on the page that is rendered.
                             * @example [
                             *       "svc/menu current"
                             *     ]
                             */
                            live_reasons: string[];
                            pending?: components["schemas"]["Pending"];
                            /** @description Missing in a dry run. */
                            rebaked?: components["schemas"]["Rebaked"];
                            renamed?: components["schemas"]["Renamed"];
                            /** @description Whether the frame, or a frame that it embeds, depends on the page that is rendered. */
                            renders_on_request: boolean;
                            /** @description Missing in a dry run. */
                            republish?: components["schemas"]["Republish"];
                            /**
                             * @description The site of the response.
                             * @example 2
                             */
                            site_id: number;
                            /**
                             * @description Data sources that the frame reads.
                             * @example [
                             *       "menu.header",
                             *       "site.title"
                             *     ]
                             */
                            sources: string[];
                            /** @description False if the frame is new. */
                            updated: boolean;
                            /** @description Problems of the markup, and fields of the request that were ignored. */
                            warnings: string[];
                        }[];
                        /** @description The page as a visitor would get it. It may contain scripts: show it in a sandboxed frame only. */
                        html: string;
                        menus: {
                            /** @description Items that were left out. */
                            invalid: components["schemas"]["InvalidItem"][];
                            menu: components["schemas"]["Menu"];
                            total: number;
                        }[];
                        page: {
                            id: number;
                            lang: string | null;
                            /** @example about-us/team */
                            path: string;
                            /** @example publish */
                            status: string;
                            /**
                             * @description As stored; HTML.
                             * @example Team
                             */
                            title: string;
                            /** @example http://net.test/shop/about-us/team/ */
                            url: string;
                        };
                        /**
                         * @description The site of the response.
                         * @example 2
                         */
                        site_id: number;
                        /** @constant */
                        success: true;
                        /** @description Binds of the page without a value or with an invalid name. */
                        unresolved: {
                            /** @example title:page.subtitle */
                            bind: string;
                            column: number;
                            /** @description Slug of the frame whose markup has the bind. */
                            frame: string;
                            line: number;
                            /** @enum {string} */
                            reason: "no_value" | "unknown_name" | "not_allowed";
                        }[];
                        /** @description Warnings of the build in the language of the page. */
                        warnings: string[];
                    };
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PageRequired"] | components["schemas"]["UnknownLanguage"] | components["schemas"]["FrameUrlNotSupported"] | components["schemas"]["FrameHtmlRequired"] | components["schemas"]["InvalidSlug"] | components["schemas"]["FrameRefConflict"] | components["schemas"]["FrameCharsetUnsupported"] | components["schemas"]["FrameRefRequired"] | components["schemas"]["BadItems"] | components["schemas"]["RestInvalidParam"] | components["schemas"]["RestInvalidJson"];
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MissingToken"] | components["schemas"]["InvalidToken"];
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnfilteredHtmlRequired"] | components["schemas"]["InsufficientScope"];
                };
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PageNotFound"] | components["schemas"]["FrameNotFound"] | components["schemas"]["MenuNotFound"] | components["schemas"]["MenuNotAssigned"] | components["schemas"]["SiteNotFound"] | components["schemas"]["RestNoRoute"];
                };
            };
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AmbiguousPage"] | components["schemas"]["PageHasNoFrame"] | components["schemas"]["PolylangInactive"] | components["schemas"]["SlugTaken"] | components["schemas"]["EngineNotTransactional"] | components["schemas"]["MenuItemsUnresolved"] | components["schemas"]["MenuItemsInvalid"] | components["schemas"]["AmbiguousMenu"];
                };
            };
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PreconditionFailed"];
                };
            };
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PreviewTooSlow"] | components["schemas"]["FrameTooLarge"] | components["schemas"]["SiteQuotaExceeded"] | components["schemas"]["RestBodyTooLarge"];
                };
            };
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RestUnsupportedMediaType"];
                };
            };
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TooManyRequests"] | components["schemas"]["TooManyAuthFailures"];
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FrameUnreadable"] | components["schemas"]["InternalError"];
                };
            };
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InternalUnavailable"];
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DatabaseUnavailable"] | components["schemas"]["ServiceBusy"];
                };
            };
        };
    };
    restoreSite: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request safe to repeat: the same request with the same key gets the first answer for 24 hours, and is not run again. Any visible ASCII characters, such as a new UUID for each write. */
                "Idempotency-Key"?: string;
                /** @description ETag of an earlier read: if the frame or menu has changed since, the response is `412` and nothing is written. */
                "If-Match"?: string;
                /** @description `*`: if the frame or menu already exists, the response is `412` and nothing is written. */
                "If-None-Match"?: string;
            };
            path: {
                /** @description Blog id of the site. */
                site_id: number;
            };
            cookie?: never;
        };
        /** @description At most 1 MB. */
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "at": "2026-03-01T09:30:00Z",
                 *       "dry_run": true
                 *     }
                 */
                "application/json": {
                    /** @description Restores all frames, menus, locations and assignments to a moment: a time, or the id of an entry. */
                    at?: string;
                    /**
                     * @description False: do not build anything now.
                     * @default true
                     */
                    bake?: boolean;
                    /**
                     * @description Report what would be restored, with diffs, but store nothing.
                     * @default false
                     */
                    dry_run?: boolean;
                    /**
                     * @description Restores one thing to its state after this entry.
                     * @example 1207
                     */
                    entry?: number;
                    /** @description Restores everything that this request wrote to the state before. */
                    request_id?: string;
                    /** @description With `token_id`: from when on. */
                    since?: string;
                    /** @description Restores everything that was written with this token since `since`. */
                    token_id?: number;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        dry_run: boolean;
                        /** @description What could not be restored, or not completely, and why. */
                        not_restored: {
                            /** @enum {string} */
                            kind: "frame" | "menu" | "location" | "assignment" | "dataset" | "token" | "pruning";
                            message: string;
                            name: string;
                            reason: string;
                            ref: string;
                        }[];
                        pending?: components["schemas"]["Pending"];
                        rebaked?: components["schemas"]["Rebaked"];
                        republish?: components["schemas"]["Republish"];
                        /** @description What differed from the wanted state. */
                        restored: {
                            /** @enum {string} */
                            action: "created" | "replaced" | "renamed" | "deleted" | "assigned" | "cleared" | "issued" | "revoked" | "pruned" | "found" | "edited";
                            /** @description A unified diff of markup; for other things one line for each change. */
                            diff: string;
                            /** @description The changes of the items of a menu. */
                            items?: components["schemas"]["MenuItemChange"][];
                            /** @enum {string} */
                            kind: "frame" | "menu" | "location" | "assignment" | "dataset" | "token" | "pruning";
                            name: string;
                            ref: string;
                            /**
                             * @description Something of the difference was left out, because it is too large.
                             * @constant
                             */
                            shortened?: true;
                        }[];
                        /**
                         * @description The site of the response.
                         * @example 2
                         */
                        site_id: number;
                        /** @constant */
                        success: true;
                    };
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FrameCharsetUnsupported"] | components["schemas"]["RestInvalidParam"] | components["schemas"]["RestInvalidJson"];
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MissingToken"] | components["schemas"]["InvalidToken"];
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnfilteredHtmlRequired"] | components["schemas"]["InsufficientScope"];
                };
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EntryNotFound"] | components["schemas"]["SiteNotFound"] | components["schemas"]["RestNoRoute"];
                };
            };
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EngineNotTransactional"] | components["schemas"]["IdempotencyKeyReused"];
                };
            };
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PreconditionFailed"];
                };
            };
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RestoreTooLarge"] | components["schemas"]["SiteQuotaExceeded"] | components["schemas"]["IdempotentAnswerTooLarge"] | components["schemas"]["RestBodyTooLarge"];
                };
            };
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RestUnsupportedMediaType"];
                };
            };
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TooManyRequests"] | components["schemas"]["TooManyAuthFailures"];
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FrameUnreadable"] | components["schemas"]["MenuAssignmentNotStored"] | components["schemas"]["InternalError"];
                };
            };
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InternalUnavailable"];
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DatabaseUnavailable"] | components["schemas"]["ServiceBusy"];
                };
            };
        };
    };
    getWork: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETag of an earlier response; `304` means that the response is unchanged. */
                "If-None-Match"?: string;
            };
            path: {
                /** @description Blog id of the site. */
                site_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description What has failed and is tried again. */
                        failing: {
                            /** @description Frames, and other things that were touched, such as menus. Which pages they change is known when they are built. */
                            frames: number;
                            /** @description Pages whose static copies are to be published or removed. */
                            pages: number;
                        };
                        /** @description What is failing, first what has failed longest; at most 100. */
                        failures: {
                            /**
                             * @description Why the last one failed.
                             * @example The static copies of the site use all the space that they may.
                             */
                            error: string | null;
                            /**
                             * @description `page`: the static copy of a page. `frame`: a frame and its pages. `embeds`: the frames that embed a frame. `dataset`, `menus`, `pages`, `languages`, `settings`: the frames that show these. `outdated`: the frames that show what the name says, and pages whose static copies were made of another build of these. `all`: all frames. `copies`: the removal of copies that their pages no longer have.
                             * @example page
                             * @enum {string}
                             */
                            kind: "frame" | "embeds" | "outdated" | "menus" | "pages" | "languages" | "settings" | "dataset" | "all" | "copies" | "page";
                            /**
                             * @description Id of the page or frame, name of the dataset, or what is shown (`menus`, `dataset:news`); empty for other kinds.
                             * @example 12
                             */
                            name: string;
                            /** @description Seconds until the next attempt; 0 if it is due or running. */
                            next_try_in_s: number;
                            /**
                             * @description When it was touched, GMT.
                             * @example 2026-03-01 09:30:00
                             */
                            since: string;
                            /** @description How many attempts have failed. */
                            tries: number;
                        }[];
                        /** @description What has waited longest; null if nothing is pending. */
                        oldest: {
                            /** @description Seconds since then. */
                            age_s: number;
                            /**
                             * @description When it was touched, GMT.
                             * @example 2026-03-01 09:30:00
                             */
                            since: string;
                        } | null;
                        /** @description Everything that is not finished, including what is running and what is failing. */
                        pending: {
                            /** @description Frames, and other things that were touched, such as menus. Which pages they change is known when they are built. */
                            frames: number;
                            /** @description Pages whose static copies are to be published or removed. */
                            pages: number;
                        };
                        /** @description What a worker builds now. */
                        running: {
                            /** @description Frames, and other things that were touched, such as menus. Which pages they change is known when they are built. */
                            frames: number;
                            /** @description Pages whose static copies are to be published or removed. */
                            pages: number;
                        };
                        /**
                         * @description The site of the response.
                         * @example 2
                         */
                        site_id: number;
                        /** @constant */
                        success: true;
                    };
                };
            };
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RestInvalidParam"] | components["schemas"]["RestInvalidJson"];
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MissingToken"] | components["schemas"]["InvalidToken"];
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InsufficientScope"];
                };
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SiteNotFound"] | components["schemas"]["RestNoRoute"];
                };
            };
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RestBodyTooLarge"];
                };
            };
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RestUnsupportedMediaType"];
                };
            };
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TooManyRequests"] | components["schemas"]["TooManyAuthFailures"];
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InternalError"];
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DatabaseUnavailable"] | components["schemas"]["ServiceBusy"];
                };
            };
        };
    };
    listSites: {
        parameters: {
            query?: {
                /** @description `next` of the page before. */
                after?: number;
                /** @description Only the site with this id. */
                id?: number;
                /** @description Sites on a page, at most 200; by default 50. */
                limit?: number;
                /** @description Only sites whose title or address contains this text, or whose id it is; case-insensitive. */
                search?: string;
            };
            header?: {
                /** @description ETag of an earlier response; `304` means that the response is unchanged. */
                "If-None-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description `after` of the next page; null on the last one. */
                        next: number | null;
                        sites: {
                            /** @example net.test/shop */
                            address: string;
                            /** @example en */
                            default_lang: string | null;
                            /** @example http://net.test/shop */
                            home: string;
                            /** @description In the order of Polylang; empty without it. */
                            languages: {
                                /** @example fr */
                                code: string;
                                /**
                                 * @description Plain text.
                                 * @example Français
                                 */
                                name: string;
                                /** @description Written from right to left. */
                                rtl: boolean;
                            }[];
                            /** @example 2 */
                            site_id: number;
                            /**
                             * @description Visitors see only `live` sites.
                             * @enum {string}
                             */
                            state: "live" | "archived" | "spam" | "deleted";
                            /**
                             * @description Plain text.
                             * @example Shop
                             */
                            title: string;
                        }[];
                        /** @constant */
                        success: true;
                        /** @description Sites on all pages. */
                        total: number;
                    };
                };
            };
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RestInvalidParam"] | components["schemas"]["RestInvalidJson"];
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MissingToken"] | components["schemas"]["InvalidToken"];
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InsufficientScope"];
                };
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SiteNotFound"] | components["schemas"]["RestNoRoute"];
                };
            };
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RestBodyTooLarge"];
                };
            };
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RestUnsupportedMediaType"];
                };
            };
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TooManyRequests"] | components["schemas"]["TooManyAuthFailures"];
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InternalError"];
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DatabaseUnavailable"] | components["schemas"]["ServiceBusy"];
                };
            };
        };
    };
}

/** Method and path of each endpoint. */
export const OPERATIONS = {
  "addMenuItem": [
    "POST",
    "/site/{site_id}/menus/{ref}/items"
  ],
  "applyPlan": [
    "POST",
    "/network/plans/{id}/apply"
  ],
  "assignFrame": [
    "POST",
    "/site/{site_id}/frames/{ref}/assign"
  ],
  "assignMenuLocation": [
    "PUT",
    "/site/{site_id}/menus/{ref}/location"
  ],
  "createFrame": [
    "POST",
    "/site/{site_id}/frames"
  ],
  "createMenu": [
    "POST",
    "/site/{site_id}/menus"
  ],
  "createPlan": [
    "POST",
    "/network/plans"
  ],
  "deleteFrame": [
    "DELETE",
    "/site/{site_id}/frames/{ref}"
  ],
  "deleteMenu": [
    "DELETE",
    "/site/{site_id}/menus/{ref}"
  ],
  "describeSite": [
    "GET",
    "/site/{site_id}/description"
  ],
  "fixFindings": [
    "POST",
    "/site/{site_id}/findings/fix"
  ],
  "getFrame": [
    "GET",
    "/site/{site_id}/frames/{ref}"
  ],
  "getGraph": [
    "GET",
    "/site/{site_id}/graph"
  ],
  "getHistoryEntry": [
    "GET",
    "/site/{site_id}/history/{entry}"
  ],
  "getMe": [
    "GET",
    "/me"
  ],
  "getMenu": [
    "GET",
    "/site/{site_id}/menus/{ref}"
  ],
  "getNetworkHistoryEntry": [
    "GET",
    "/network/history/{entry}"
  ],
  "getPlan": [
    "GET",
    "/network/plans/{id}"
  ],
  "getWork": [
    "GET",
    "/site/{site_id}/work"
  ],
  "issueToken": [
    "POST",
    "/network/tokens"
  ],
  "listDrift": [
    "GET",
    "/network/drift"
  ],
  "listFindings": [
    "GET",
    "/site/{site_id}/findings"
  ],
  "listFrames": [
    "GET",
    "/site/{site_id}/frames"
  ],
  "listHistory": [
    "GET",
    "/site/{site_id}/history"
  ],
  "listMenus": [
    "GET",
    "/site/{site_id}/menus"
  ],
  "listNetworkHistory": [
    "GET",
    "/network/history"
  ],
  "listNetworkSites": [
    "GET",
    "/network/sites"
  ],
  "listPages": [
    "GET",
    "/site/{site_id}/pages"
  ],
  "listSites": [
    "GET",
    "/sites"
  ],
  "listTokens": [
    "GET",
    "/network/tokens"
  ],
  "previewPage": [
    "POST",
    "/site/{site_id}/preview"
  ],
  "readData": [
    "GET",
    "/site/{site_id}/data/{source}"
  ],
  "rebakeFrames": [
    "POST",
    "/site/{site_id}/frames/rebake"
  ],
  "removeMenuItem": [
    "DELETE",
    "/site/{site_id}/menus/{ref}/items/{id}"
  ],
  "renameFrame": [
    "PATCH",
    "/site/{site_id}/frames/{ref}"
  ],
  "renameMenu": [
    "PATCH",
    "/site/{site_id}/menus/{ref}"
  ],
  "reorderMenuItems": [
    "POST",
    "/site/{site_id}/menus/{ref}/reorder"
  ],
  "replaceFrame": [
    "PUT",
    "/site/{site_id}/frames/{ref}"
  ],
  "replaceMenuItems": [
    "PUT",
    "/site/{site_id}/menus/{ref}/items"
  ],
  "reportChanges": [
    "POST",
    "/site/{site_id}/changed"
  ],
  "restoreSite": [
    "POST",
    "/site/{site_id}/restore"
  ],
  "revokeToken": [
    "DELETE",
    "/network/tokens/{id}"
  ],
  "rollBackPlan": [
    "POST",
    "/network/plans/{id}/rollback"
  ],
  "runBatch": [
    "POST",
    "/site/{site_id}/batch"
  ],
  "updateMenuItem": [
    "PATCH",
    "/site/{site_id}/menus/{ref}/items/{id}"
  ]
} as const
