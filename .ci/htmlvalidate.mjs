// What html-validate holds the pages against: all it recommends, but for these.
export default {
  root: true,
  extends: ["html-validate:recommended"],
  rules: {
    // Headings are named by their words, which may be Chinese, and notes by fn:1.
    "valid-id": ["error", { relaxed: true }],
    // A post's title is its author's; search engines cut what is long.
    "long-title": "off",
    // Lists of claims are told apart by their names. ARIA allows it.
    "aria-label-misuse": ["error", { allowAnyNamable: true }],
  },
};
