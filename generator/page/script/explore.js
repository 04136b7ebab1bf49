// The pages that compare results, in one script, since they share most of it:
// each begins where its place is in the page.

import "./compare.js";
import "./deploy.js";
import "./results.js";
