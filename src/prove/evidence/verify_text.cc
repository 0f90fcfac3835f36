#include "prove/evidence/verify_text.h"

namespace cg::evidence {

std::string verify_text() {
  return R"(# How to check this bundle without codegenie

With codegenie it is one command, `codegenie verify .`; what follows needs `jq`,
`sha256sum`, `b3sum` and `ssh-keygen` instead. Run it in this folder.

1. Every file is what the manifest says, and there is no other file:

       jq -r '.files[] | .sha256 + "  " + .path' manifest.json | sha256sum -c --quiet
       jq -r '.files[] | .blake3 + "  " + .path' manifest.json | b3sum -c --quiet
       diff <(jq -r '.files[].path' manifest.json | sort) \
         <(find * -type f ! -name 'manifest.json*' | sort)

2. The manifest is signed by somebody you know (`allowed_signers` is a file of yours, not of
   the bundle). `manifest.json.sig` must be here if `events.jsonl` has an `evidence_signed`:

       ssh-keygen -Y verify -f allowed_signers -I WHO -n codegenie-evidence \
         -s manifest.json.sig < manifest.json

3. The commit names the plan (of several branches: in `branches/1` and so on):

       grep '^Codegenie-Plan: ' commit.txt
       sha256sum plan.json

4. The commit in your repository is the one described here:

       git hash-object -t commit commit.txt
       jq -r '.commits[] | .branch + " " + .commit' case.json

5. The workflow's end is in the audit log: `proof/entry.json` is the entry,
   `proof/entry.tlog-proof` a C2SP tlog-proof of it, `proof/log.vkey` the log's key, which is
   worth as much as the place where you had it from. The entry's `body` holds how many lines
   `events.jsonl` has, and their head.

6. The last event names the evidence, and the others tell what the case claims: how often each
   branch was tried, what every gate said, in which isolation, at which commit. `codegenie
   verify` compares all of it; these are the lines to read:

       jq -c 'select(.kind | test("attempt|signal|branch|plan_c|evidence")) | [.kind, .body]' \
         events.jsonl

A signature proves who vouches for the bundle, not that their machine was honest. Without a
signature by a key that you know, and without an anchor of the log that you kept, nothing here
shows whose log it is: whoever writes a log of their own can tell any story in it.
)";
}

}  // namespace cg::evidence
