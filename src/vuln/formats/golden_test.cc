// One finding in every format, whole.
#include <gtest/gtest.h>

#include "base/json/json.h"
#include "vuln/formats/formats.h"
#include "vuln/formats/samples.h"

namespace cg::formats {
namespace {

using test::one_finding;

TEST(Golden, Json) {
  const std::string origin = provenance::describe(test::qs().provenance);
  EXPECT_EQ(json::write_json_pretty(json(one_finding())), R"({
  "schema": "codegenie/scan/v1",
  "index": {
    "digest": "blake3:aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
    "built": "2026-11-12T02:00:11.000Z",
    "advisories": 16204,
    "sources": [
      "osv"
    ]
  },
  "repo": {
    "path": "examples/shop",
    "head": "4444444444444444444444444444444444444444",
    "locks": [
      {
        "path": "package-lock.json",
        "kind": "package-lock",
        "version": "3",
        "packages": 212,
        "production": 171
      }
    ],
    "skipped": [],
    "unreadable": []
  },
  "findings": [
    {
      "advisory": "GHSA-hrpp-h998-j3pp",
      "aliases": [
        "CVE-2022-24999"
      ],
      "package": "qs",
      "version": "6.7.0",
      "lockfile": "package-lock.json",
      "location": "node_modules/qs",
      "line": 1412,
      "direct": false,
      "dev": false,
      "optional": false,
      "malware": false,
      "severity": "high",
      "fixed_in": [
        "6.7.3"
      ],
      "provenance": "app_transitive",
      "via": [
        "express@4.17.1"
      ],
      "plan": "relock",
      "score": 7.5,
      "vector": "CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:N/A:H",
      "summary": "qs vulnerable to Prototype Pollution",
      "modified": "2022-12-05T20:11:13Z",
      "cwes": [
        "CWE-1321"
      ],
      "references": [
        "https://vendor.example/qs",
        "https://advisories.example/GHSA-hrpp-h998-j3pp"
      ],
      "affected": ">=6.7.0 <6.7.3",
      "origin": ")" + origin + R"(",
      "target": "6.7.3"
    }
  ],
  "suppressed": []
}
)");
}

TEST(Golden, Sarif) {
  EXPECT_EQ(json::write_json_pretty(sarif(one_finding())), R"({
  "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
  "version": "2.1.0",
  "runs": [
    {
      "tool": {
        "driver": {
          "name": "codegenie",
          "semanticVersion": "0.3.0",
          "rules": [
            {
              "id": "GHSA-hrpp-h998-j3pp",
              "shortDescription": {
                "text": "qs vulnerable to Prototype Pollution"
              },
              "fullDescription": {
                "text": "qs: qs vulnerable to Prototype Pollution"
              },
              "help": {
                "text": "GHSA-hrpp-h998-j3pp affects qs >=6.7.0 <6.7.3: qs vulnerable to Prototype Pollution. Fixed in 6.7.3."
              },
              "helpUri": "https://advisories.example/GHSA-hrpp-h998-j3pp",
              "defaultConfiguration": {
                "level": "error"
              },
              "properties": {
                "tags": [
                  "security",
                  "vulnerability",
                  "external/cwe/cwe-1321"
                ],
                "security-severity": "7.5",
                "aliases": [
                  "CVE-2022-24999"
                ]
              }
            }
          ]
        }
      },
      "invocations": [
        {
          "executionSuccessful": true,
          "endTimeUtc": "2026-11-15T02:40:11.042Z",
          "toolExecutionNotifications": []
        }
      ],
      "columnKind": "unicodeCodePoints",
      "results": [
        {
          "ruleId": "GHSA-hrpp-h998-j3pp",
          "ruleIndex": 0,
          "level": "error",
          "message": {
            "text": "qs 6.7.0 at node_modules/qs is affected by GHSA-hrpp-h998-j3pp: qs vulnerable to Prototype Pollution. Brought by express@4.17.1. Update qs to 6.7.3 in the lockfile; every range allows it."
          },
          "locations": [
            {
              "physicalLocation": {
                "artifactLocation": {
                  "uri": "package-lock.json",
                  "uriBaseId": "%SRCROOT%"
                },
                "region": {
                  "startLine": 1412,
                  "startColumn": 5
                }
              },
              "logicalLocations": [
                {
                  "fullyQualifiedName": "node_modules/qs",
                  "kind": "package"
                }
              ]
            }
          ],
          "partialFingerprints": {
            "primaryLocationLineHash": "a7eea3f8fb7bc403:1",
            "codegenieFinding/v1": "a7eea3f8fb7bc403d4d6f5e36b7659235e0e663e38edabec23b5f98fbfc689ed"
          },
          "suppressions": [],
          "properties": {
            "package": "qs",
            "version": "6.7.0",
            "purl": "pkg:npm/qs@6.7.0",
            "fixed_in": [
              "6.7.3"
            ],
            "provenance": "app_transitive",
            "plan": "relock",
            "direct": false,
            "dev": false
          }
        }
      ],
      "properties": {
        "indexDigest": "blake3:aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
        "indexBuilt": "2026-11-12T02:00:11.000Z"
      }
    }
  ]
}
)");
}

TEST(Golden, CycloneDx) {
  EXPECT_EQ(json::write_json_pretty(cyclonedx(one_finding())), R"({
  "$schema": "http://cyclonedx.org/schema/bom-1.6.schema.json",
  "bomFormat": "CycloneDX",
  "specVersion": "1.6",
  "serialNumber": "urn:uuid:5a290224-6cfa-813c-b06f-352d08ef3fc3",
  "version": 1,
  "metadata": {
    "timestamp": "2026-11-15T02:40:11.042Z",
    "tools": {
      "components": [
        {
          "type": "application",
          "name": "codegenie",
          "version": "0.3.0"
        }
      ]
    },
    "component": {
      "type": "application",
      "bom-ref": "repository",
      "name": "shop",
      "version": "4444444444444444444444444444444444444444"
    },
    "properties": [
      {
        "name": "codegenie:index:digest",
        "value": "blake3:aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
      },
      {
        "name": "codegenie:index:built",
        "value": "2026-11-12T02:00:11.000Z"
      }
    ]
  },
  "components": [
    {
      "type": "library",
      "bom-ref": "package-lock.json#node_modules/qs",
      "name": "qs",
      "version": "6.7.0",
      "scope": "required",
      "hashes": [
        {
          "alg": "SHA-1",
          "content": "a94a89f91d552db98b2998597c5079dd33cd367a"
        }
      ],
      "purl": "pkg:npm/qs@6.7.0",
      "properties": [
        {
          "name": "cdx:npm:package:path",
          "value": "node_modules/qs"
        },
        {
          "name": "codegenie:lockfile",
          "value": "package-lock.json"
        }
      ]
    }
  ],
  "dependencies": [],
  "compositions": [
    {
      "aggregate": "incomplete",
      "assemblies": [
        "repository"
      ]
    }
  ],
  "vulnerabilities": [
    {
      "bom-ref": "vulnerability/GHSA-hrpp-h998-j3pp",
      "id": "GHSA-hrpp-h998-j3pp",
      "source": {
        "name": "GitHub Advisory Database",
        "url": "https://github.com/advisories/GHSA-hrpp-h998-j3pp"
      },
      "references": [
        {
          "id": "CVE-2022-24999",
          "source": {
            "name": "NVD",
            "url": "https://nvd.nist.gov/vuln/detail/CVE-2022-24999"
          }
        }
      ],
      "ratings": [
        {
          "score": 7.5,
          "severity": "high",
          "method": "CVSSv31",
          "vector": "CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:N/A:H"
        }
      ],
      "cwes": [
        1321
      ],
      "description": "qs vulnerable to Prototype Pollution",
      "recommendation": "Update qs to 6.7.3 in the lockfile; every range allows it.",
      "advisories": [
        {
          "url": "https://vendor.example/qs"
        },
        {
          "url": "https://advisories.example/GHSA-hrpp-h998-j3pp"
        }
      ],
      "updated": "2022-12-05T20:11:13Z",
      "affects": [
        {
          "ref": "package-lock.json#node_modules/qs",
          "versions": [
            {
              "version": "6.7.0",
              "status": "affected"
            }
          ]
        }
      ]
    }
  ]
}
)");
}

TEST(Golden, OpenVex) {
  EXPECT_EQ(json::write_json_pretty(openvex(one_finding())), R"({
  "@context": "https://openvex.dev/ns/v0.2.0",
  "@id": "urn:uuid:104c9a63-e0f8-8f26-9c13-160d7644bacd",
  "author": "codegenie",
  "timestamp": "2026-11-15T02:40:11.042Z",
  "version": 1,
  "tooling": "codegenie 0.3.0",
  "statements": [
    {
      "vulnerability": {
        "name": "GHSA-hrpp-h998-j3pp",
        "description": "qs vulnerable to Prototype Pollution",
        "aliases": [
          "CVE-2022-24999"
        ]
      },
      "status": "affected",
      "action_statement": "Update qs to 6.7.3 in the lockfile; every range allows it.",
      "products": [
        {
          "@id": "pkg:npm/qs@6.7.0"
        }
      ]
    }
  ]
}
)");
}

TEST(Golden, Markdown) {
  EXPECT_EQ(markdown(one_finding()), R"~(### codegenie scan: 1 finding (1 high)

| Severity | Package | Via | Fixed in | Advisory | Plan | Where |
|---|---|---|---|---|---|---|
| high | `qs` `6.7.0` | `express@4.17.1` | `6.7.3` | [GHSA-hrpp-h998-j3pp](https://advisories.example/GHSA-hrpp-h998-j3pp) qs vulnerable to Prototype Pollution | relock to `6.7.3` | `package-lock.json` `node_modules/qs` |

Advisory index `blake3:aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa`, built 2026-11-12, 16 204 advisories. Commit `4444444444444444444444444444444444444444`.
)~");
}

TEST(Golden, Annotations) {
  EXPECT_EQ(
      gh_annotations(one_finding()),
      R"~(::error file=package-lock.json,line=1412,col=5,title=high%3A qs 6.7.0 (GHSA-hrpp-h998-j3pp)::qs 6.7.0 at node_modules/qs is affected by GHSA-hrpp-h998-j3pp: qs vulnerable to Prototype Pollution. Brought by express@4.17.1. Update qs to 6.7.3 in the lockfile; every range allows it.
)~");
}

TEST(Golden, LinesAreTheFindingsOfJson) {
  const json::Value finding = json(one_finding()).find("findings")->as_array()->front();
  std::string line = json::write_json(finding);
  line.insert(1, R"("schema":"codegenie/scan-finding/v1",)");
  EXPECT_EQ(jsonl(one_finding()), line + "\n");
}

}  // namespace
}  // namespace cg::formats
