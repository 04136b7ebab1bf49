// A post: beside what every page has, the reader's place in it.

import { followReader } from "./place.js";

followReader();
